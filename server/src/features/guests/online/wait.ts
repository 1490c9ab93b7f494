/** The product's own waits are at most this long, and no address can ask for more. */
const longest = 86_400;

/** A wait of a second would be over before a slow phone has the page, which would then not say why the guest was refused. */
const graceSeconds = 10;

/** The seconds of a wait that are left, at least one; 0 once it has been over for some seconds. */
export const restOfWait = (left: number): number => (left > -graceSeconds ? Math.max(1, left) : 0);

const now = () => Math.floor(Date.now() / 1000);

/** For the address of the status page: the moment of the end, so that a page that is loaded again names the time left. */
export const waitUntil = (seconds: number): string => `wait&until=${now() + seconds}`;

/** The seconds that are left until that moment; 0 without one, and once the wait is over. */
export function waitLeft(until: unknown): number {
  if (!/^\d{1,11}$/.test(String(until))) return 0;
  const left = Number(until) - now();
  return left <= longest ? restOfWait(left) : 0;
}
