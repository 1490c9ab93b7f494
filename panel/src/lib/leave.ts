import { toastSuccess } from '#lib/toast.ts';

const key = 'portico.said';

/** Goes to an address by a page load and has it said there: what is said before goes with the page. */
export function leaveSaying(words: string, address: string): void {
  sessionStorage.setItem(key, words);
  window.location.assign(address);
}

/** Says what the page before left to be said. */
export function sayWhatWasLeft(): void {
  const words = sessionStorage.getItem(key);
  if (!words) return;
  sessionStorage.removeItem(key);
  toastSuccess(words);
}
