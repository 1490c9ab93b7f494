import { backgroundHeader } from '@portico/contract/headers.ts';

const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** Requests later than this after the last input are made by the panel itself. */
const idleMs = 60_000;
let lastInput = Date.now();

/** Records input in this tab. */
export function watchActivity(): void {
  const recordInput = () => {
    lastInput = Date.now();
  };
  for (const type of inputs) window.addEventListener(type, recordInput, { capture: true, passive: true });
}

/** The header that marks requests of a tab without recent input. */
export const backgroundHeaders = (): Record<string, string> =>
  Date.now() - lastInput > idleMs ? { [backgroundHeader]: '1' } : {};
