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

/** The interface language. It is kept outside the translation library, so that requests do not depend on that library. */
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
