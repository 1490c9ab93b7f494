import type { Endpoint } from '@portico/contract/endpoint.ts';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen } from '#lib/live.ts';

/** The fallback refresh for missed events. */
export const everyMinute = { refetchInterval: 60_000 } as const;

/** A change that comes alone is shown after this time, in milliseconds. */
const soon = 1000;
/** The minimum time between two refreshes. A venue where something changes all the time must not draw its lists each second. */
const calm = 3000;

/** A list that failed to load says so and offers to try again. Changes each second would replace the message by a skeleton. */
const hasNotFailed = ({ state }: Query): boolean => state.status !== 'error' || state.data !== undefined;

/**
 * Refreshes the queries of `endpoints` whenever the server reports a change under `topic`, or may have reported one while the
 * connection was lost. Only then are queries that failed asked again.
 */
export function useLive(topic: string, ...endpoints: readonly Endpoint[]): void {
  const queries = useQueryClient();
  const paths = endpoints.map(endpoint => endpoint.path).join(' ');
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    let isBack = false;
    let refreshed = Number.NEGATIVE_INFINITY;
    const refresh = () => {
      const which = isBack ? {} : { predicate: hasNotFailed };
      waiting = undefined;
      isBack = false;
      refreshed = performance.now();
      for (const path of paths.split(' ')) void queries.invalidateQueries({ queryKey: [path], ...which });
    };
    const stop = listen(changed => {
      isBack ||= changed === undefined;
      if (changed !== undefined && changed !== topic) return;
      waiting ??= setTimeout(refresh, Math.max(soon, refreshed + calm - performance.now()));
    });
    return () => {
      clearTimeout(waiting);
      stop();
    };
  }, [queries, topic, paths]);
}
