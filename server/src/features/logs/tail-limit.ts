const perDevice = 10;
const perUser = 3;
const inAll = 200;

const byDevice = new Map<string, number>();
const byUser = new Map<string, number>();
let open = 0;

/** Takes a place for a live view; answers how to give it back (once), or undefined when there is none left. */
export function claimTail(deviceId: string, userId: string): (() => void) | undefined {
  if (open >= inAll || count(byDevice, deviceId) >= perDevice || count(byUser, userId) >= perUser) return undefined;
  add(byDevice, deviceId, 1);
  add(byUser, userId, 1);
  open += 1;
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    add(byDevice, deviceId, -1);
    add(byUser, userId, -1);
    open -= 1;
  };
}

const count = (map: Map<string, number>, key: string): number => map.get(key) ?? 0;

function add(map: Map<string, number>, key: string, by: number): void {
  const now = count(map, key) + by;
  if (now > 0) map.set(key, now);
  else map.delete(key);
}
