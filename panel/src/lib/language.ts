import type { Language } from '@portico/contract/errors.ts';

const key = 'portico.language';

const remembered = (): Language => {
  try {
    return localStorage.getItem(key) === 'tr' ? 'tr' : 'en';
  } catch {
    return 'en';
  }
};

let current: Language = remembered();

/** The language of the interface. Kept outside the translation library, so that a call can name it without loading one. */
export const language = (): Language => current;

export function rememberLanguage(chosen: Language): void {
  current = chosen;
  document.documentElement.lang = chosen;
  try {
    localStorage.setItem(key, chosen);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
