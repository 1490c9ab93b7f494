import { toastSuccess } from '#lib/toast.ts';

const key = 'portico.said';

/** Shows a toast on the next page, because a toast of this page would disappear with it. */
export const toastAfterReload = (words: string): void => sessionStorage.setItem(key, words);

export function reloadWithToast(words: string, address: string): void {
  toastAfterReload(words);
  window.location.assign(address);
}

/** Shows the toast that the previous page left. */
export function showPendingToast(): void {
  const words = sessionStorage.getItem(key);
  if (!words) return;
  sessionStorage.removeItem(key);
  toastSuccess(words);
}
