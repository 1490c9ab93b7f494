import { toastSuccess } from '#lib/toast.ts';

const key = 'portico.toast';

interface PendingToast {
  words: string;
  /** The only user who may see it. */
  user?: string;
}

/** Shows a toast on the next page, because a toast of this page would disappear with it. */
export const toastAfterReload = (toast: PendingToast): void => sessionStorage.setItem(key, JSON.stringify(toast));

export function reloadWithToast(words: string, address: string): void {
  toastAfterReload({ words });
  window.location.assign(address);
}

/** Shows the toast that the previous page left, unless it is for another user. */
export function showPendingToast(reader: string): void {
  const text = sessionStorage.getItem(key);
  if (!text) return;
  sessionStorage.removeItem(key);
  const { words, user = reader } = JSON.parse(text) as PendingToast;
  if (user === reader) toastSuccess(words);
}
