import type { BuyView, GuestView, OnlineView } from '@portico/contract/guests.ts';

/** Where a page that waits for the router or the hotel system goes on by itself. Undefined for pages that wait for the guest. */
export function reloadOf(view: OnlineView | BuyView): string | undefined {
  if (view.page === 'online') return view.online ? undefined : view.refresh;
  const { at } = view;
  if (at.step === 'switching' || (at.step === 'charging' && !at.isSlow)) return at.refresh;
  return undefined;
}

/** The same for any page. */
export const reloadOfPage = (view: GuestView): string | undefined =>
  view.page === 'online' || view.page === 'buy' ? reloadOf(view) : undefined;
