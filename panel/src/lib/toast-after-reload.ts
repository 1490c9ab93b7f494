import { toastSuccess } from '#lib/toast.ts';

const key = 'portico.said';

/** Loads another page and shows a toast there, because a toast of this page would disappear with it. */
export function reloadWithToast(words: string, address: string): void {
  sessionStorage.setItem(key, words);
  window.location.assign(address);
}

/** Shows the toast that the previous page left. */
export function showPendingToast(): void {
  const words = sessionStorage.getItem(key);
  if (!words) return;
  sessionStorage.removeItem(key);
  toastSuccess(words);
}
