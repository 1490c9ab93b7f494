import { backgroundHeader } from '@portico/contract/headers.ts';

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** Requests this long after the last input were made by the panel itself, in milliseconds. */
const idleMs = 60_000;
let lastInput = Date.now();

/** Notices that somebody uses this tab. */
export function watchActivity(): void {
  const noticed = () => {
    lastInput = Date.now();
  };
  for (const type of inputs) window.addEventListener(type, noticed, { capture: true, passive: true });
}

/** Marks a request that is a refresh of a tab that nobody uses. */
export const backgroundHeaders = (): Record<string, string> =>
  Date.now() - lastInput > idleMs ? { [backgroundHeader]: '1' } : {};
