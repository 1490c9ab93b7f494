/** Does some work now and then, never twice at once. What it cannot do it keeps for the next round. */
export function startRounds(everyMs: number, work: () => Promise<void>) {
  let running: Promise<void> = Promise.resolve();
  const next = (): Promise<void> => (running = running.then(work));
  const timer = setInterval(() => void next(), everyMs);
  return {
    /** Ends after so many last rounds. */
    async stop(last = 1): Promise<void> {
      clearInterval(timer);
      for (let i = 0; i < last; i++) await next();
    },
  };
}
