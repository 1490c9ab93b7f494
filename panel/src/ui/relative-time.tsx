import { useSyncExternalStore } from 'react';
import { formatExact, formatRelative } from '#lib/format.ts';

/** One clock for all times of a screen. It ticks every 30 seconds while something is subscribed. */
let now = Date.now();
let ticking: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
    now = Date.now();
  };
}

/** The time of this clock, with which a component is drawn again. */
export const useClock = (): number => useSyncExternalStore(subscribe, () => now);

/** `5 minutes ago`, with the exact time on hover. A dash where there is no time. */
export function RelativeTime({ time }: { time: string | null | undefined }) {
  // A time newer than the last tick would read as "in 20 seconds".
  const moment = Math.max(useClock(), time ? Math.min(Date.now(), Date.parse(time)) : 0);
  if (!time) return '–';
  return (
    <time dateTime={time} title={formatExact(time)}>
      {formatRelative(time, moment)}
    </time>
  );
}
