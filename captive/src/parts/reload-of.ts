import type { BuyView, GuestView, OnlineView } from '@portico/contract/guests.ts';

/** Where a page that waits for the router or the hotel system goes on by itself. Undefined for pages that wait for the guest. */
export function reloadOf(view: OnlineView | BuyView): string | undefined {
  if (view.page === 'online') return view.online ? undefined : view.refresh;
  const { at } = view;
  if (at.step === 'switching' || (at.step === 'charging' && !at.isSlow)) return at.refresh;
  return undefined;
}

/** A page of a guest who is online, without anything to type, loads itself again as often. */
const anew = 300;

/**
 * When and where the page of a guest who is online loads itself again without script, so that it does not show an end that has come
 * as still ahead. With script, client/watch.ts asks.
 */
export function laterOf(view: GuestView): { readonly seconds: number; readonly href: string } | undefined {
  if (view.page !== 'online' || !view.online) return undefined;
  const { secondsLeft, bytesLeft, extend, confirm } = view;
  const atEnd = secondsLeft === null ? Infinity : secondsLeft > 0 ? secondsLeft + 2 : anew;
  const inBetween = bytesLeft === null || extend || confirm ? Infinity : anew;
  const seconds = Math.min(atEnd, inBetween);
  return Number.isFinite(seconds) ? { seconds, href: `${view.refresh}&again=1` } : undefined;
}

/** The same for any page. */
export const reloadOfPage = (view: GuestView): string | undefined =>
  view.page === 'online' || view.page === 'buy' ? reloadOf(view) : undefined;
