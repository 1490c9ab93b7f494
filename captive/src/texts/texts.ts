import { ar } from '@portico/contract/guest-texts/ar.ts';
import { de } from '@portico/contract/guest-texts/de.ts';
import { en } from '@portico/contract/guest-texts/en.ts';
import { es } from '@portico/contract/guest-texts/es.ts';
import { fa } from '@portico/contract/guest-texts/fa.ts';
import { flatTexts, withTexts } from '@portico/contract/guest-texts/flat.ts';
import { fr } from '@portico/contract/guest-texts/fr.ts';
import { it } from '@portico/contract/guest-texts/it.ts';
import { ja } from '@portico/contract/guest-texts/ja.ts';
import type { Texts } from '@portico/contract/guest-texts/keys.ts';
import { ru } from '@portico/contract/guest-texts/ru.ts';
import { tr } from '@portico/contract/guest-texts/tr.ts';
import { uk } from '@portico/contract/guest-texts/uk.ts';
import { zh } from '@portico/contract/guest-texts/zh.ts';

import type { PortalView } from '@portico/contract/guests.ts';
import {
  directionOf,
  isShipped,
  type ShippedLanguage,
  shippedOf,
  textFrom,
} from '@portico/contract/portal-languages.ts';

const shipped: Readonly<Record<ShippedLanguage, Texts>> = { tr, en, de, ru, ar, fr, es, it, fa, uk, zh, ja };

// Rendering is synchronous, so the languages of the portal that is being rendered can be kept here.
let current: PortalView['page'] | undefined;

/** Runs `render` with the texts that the owner of this portal has written. */
export function speaking<T>(page: PortalView['page'] | undefined, render: () => T): T {
  current = page;
  try {
    return render();
  } finally {
    current = undefined;
  }
}

/**
 * The pages' texts in a language. Texts that are missing in an added language are shown in the default language of the
 * portal.
 */
export function textsIn(language: string): Texts {
  if (isShipped(language)) return shipped[language];
  if (!current) return shipped.en;
  const { languages, own_languages: own } = current;
  const written = (tag: string) => own.find(it => it.tag === tag)?.texts ?? {};
  const from = (tag: string, texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, textFrom(tag, text, language)]));
  const [first = 'en'] = languages;
  const base = shippedOf(...languages);
  const others =
    directionOf(base) === directionOf(language) ? {} : from(base, Object.fromEntries(flatTexts(shipped[base])));
  return withTexts(shipped[base], { ...others, ...from(first, written(first)), ...written(language) });
}

/**
 * Locales for times. English has the day before the month and 24 hours, as in the panel. Languages that Intl does not know get
 * figures only, because it would take the words of the machine.
 */
export const timeFormat = (language: string, timeZone: string): Intl.DateTimeFormat =>
  Intl.DateTimeFormat.supportedLocalesOf(language).length > 0
    ? new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone,
      })
    : new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone });
