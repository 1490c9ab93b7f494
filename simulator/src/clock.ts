/** The venue's time in milliseconds; it may run faster than real time. */
export interface Clock {
  readonly scale: number;
  readonly now: () => number;
  /** Resolves after that much venue time, or earlier when the signal aborts. Never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** A clock that starts at the present and runs `scale` times as fast. */
export const createClock = (scale = 1): Clock => {
  if (!(scale > 0)) throw new RangeError('the time scale must be above 0');
  const start = Date.now();
  return {
    scale,
    now: () => start + (Date.now() - start) * scale,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        if (signal?.aborted) return resolve();
        const wake = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, Math.min(ms / scale, 2 ** 31 - 1));
        signal?.addEventListener('abort', wake);
      }),
  };
};
