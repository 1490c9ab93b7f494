import type { OnlineState } from '@portico/contract/guests.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { amount, clock, duration } from '../amounts.ts';

/** Seconds between two questions: at first, and at most. */
const first = 30;
const most = 300;

/** Browsers know fewer languages than the server, and would mix in words of their own. Their punctuation may differ. */
const letters = (text: string | null) => text?.replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * The page of a guest who is online counts the time down. While it is seen, it asks whether the session goes on, less and less
 * often: an end may come at any time, of the data, by the router or by the staff.
 */
export function watch(): void {
  const address = document.querySelector<HTMLElement>('[data-watch]')?.dataset['watch'];
  if (!address) return;
  const language = document.documentElement.lang as PortalLanguage;
  const left = document.querySelector<HTMLElement>('[data-left]');
  const sizes = [...document.querySelectorAll<HTMLElement>('[data-bytes]')];
  const knows = (place: HTMLElement, words: string) => letters(words) === letters(place.textContent);
  const known = sizes.map(it => knows(it, amount(language, Number(it.dataset['bytes']))));
  const atFirst = Number(left?.dataset['left']);
  const knowsTime = left && knows(left, duration(language, atFirst));
  let end = Date.now() + atFirst * 1000;
  let wait = first;
  let askedAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (seconds: number) => {
    clearTimeout(timer);
    // Pages that were opened together do not stay together.
    timer = setTimeout(ask, seconds * (900 + Math.random() * 200));
  };
  const show = (state: Exclude<OnlineState, { to: string }>) => {
    if (state.seconds !== null) end = Date.now() + state.seconds * 1000;
    const bytes = [state.bytesLeft, state.bytesUsed].filter(it => it !== null);
    sizes.forEach((place, i) => {
      if (known[i]) place.textContent = amount(language, bytes[i]!);
    });
  };
  async function ask(): Promise<void> {
    if (document.hidden) return;
    askedAt = Date.now();
    try {
      const answer = await fetch(address!);
      if (!answer.ok) throw answer;
      const state = (await answer.json()) as OnlineState;
      if (!('to' in state)) show(state);
      else if (
        state.over ||
        ![...document.querySelectorAll<HTMLInputElement>('[name=voucher],[name=email]')].some(it => it.value)
      )
        return location.replace(state.to);
    } catch {
      // Outside the network, or while the server is away, nothing is known: the page stays.
    }
    wait = Math.min(wait * 1.5, most);
    later(wait);
  }
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    wait = Math.min(wait, first);
    if (Date.now() - askedAt < 10_000) later(wait);
    else void ask();
  });
  later(wait);

  // Zero from the start: the router has not ended the session yet.
  if (!left || !(atFirst > 0)) return;
  let isOver = false;
  setInterval(() => {
    const seconds = Math.max(0, Math.round((end - Date.now()) / 1000));
    left.textContent = knowsTime ? duration(language, seconds) : clock(seconds);
    if (seconds > 0) isOver = false;
    else if (!isOver) {
      isOver = true;
      wait = 2;
      later(wait);
    }
  }, 1000);
}
