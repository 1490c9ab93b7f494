/** Runs work at an interval, one run at a time. Work that fails must keep its input for the next run. */
export function startInterval(everyMs: number, work: () => Promise<void>) {
  let running: Promise<void> = Promise.resolve();
  const next = (): Promise<void> => (running = running.then(work));
  const timer = setInterval(() => void next(), everyMs);
  return {
    /** Stops after this many more runs. */
    async stop(last = 1): Promise<void> {
      clearInterval(timer);
      for (let i = 0; i < last; i++) await next();
    },
  };
}
