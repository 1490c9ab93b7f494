import type { ApiError } from '#lib/client.ts';

/** A problem in words that name seconds, and are over after them. */
export interface SaidForSeconds {
  readonly text: string;
  readonly seconds: number;
}
/** A problem in words. */
export type Said = string | SaidForSeconds;

export const saidBy = ({ message, retryAfter }: Pick<ApiError, 'message' | 'retryAfter'>): Said =>
  retryAfter !== undefined && message.includes(String(retryAfter)) ? { text: message, seconds: retryAfter } : message;

/** Shows the words with the seconds that are left, then an empty text. The result stops it. */
export function countDown({ text, seconds }: SaidForSeconds, show: (text: string) => void): () => void {
  const end = Date.now() + seconds * 1000;
  const tick = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    show(left > 0 ? text.replace(String(seconds), String(left)) : '');
    if (left === 0) clearInterval(timer);
  };
  const timer = setInterval(tick, 250);
  tick();
  return () => clearInterval(timer);
}
