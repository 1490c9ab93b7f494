import { forceLeave } from '#lib/forced-leave.ts';
import { isOtherUser } from '#lib/session.ts';

/** The user whom this page shows. */
let shown: string | undefined;

const wasReloaded = () =>
  performance
    .getEntriesByType('navigation')
    .some(it => it instanceof PerformanceNavigationTiming && it.type === 'reload');

/**
 * Follows the user whom the server names. If this page shows another user, or was loaded again after it did, the tab goes to the
 * start page: that address is not this user's. Returns whether it goes.
 */
export function leftToOther(id: string): boolean {
  const isOfOther = shown === undefined ? wasReloaded() : shown !== id;
  shown = id;
  if (!isOtherUser(id) || !isOfOther) return false;
  forceLeave(() => location.replace('/'));
  return true;
}
