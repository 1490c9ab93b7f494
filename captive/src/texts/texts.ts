import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fa } from './fa.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import type { Texts } from './keys.ts';
import { ru } from './ru.ts';
import { tr } from './tr.ts';
import { uk } from './uk.ts';
import { zh } from './zh.ts';

const all: Readonly<Record<PortalLanguage, Texts>> = { tr, en, de, ru, ar, fr, es, it, fa, uk, zh, ja };

export const textsIn = (language: PortalLanguage): Texts => all[language];

/** Locales for times. English has the day before the month and 24 hours, as in the panel. */
export const timeFormat = (language: PortalLanguage, timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
