import type { PortalLanguage } from '@portico/contract/errors.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { Texts } from './keys.ts';
import { ru } from './ru.ts';
import { tr } from './tr.ts';

const all: Readonly<Record<PortalLanguage, Texts>> = { tr, en, de, ru, ar };

export const textsIn = (language: PortalLanguage): Texts => all[language];

/** The languages' own names. */
export const languageNames: Readonly<Record<PortalLanguage, string>> = {
  tr: 'Türkçe',
  en: 'English',
  de: 'Deutsch',
  ru: 'Русский',
  ar: 'العربية',
};

export const directionOf = (language: PortalLanguage): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** Locales for times. English has the day before the month and 24 hours, as in the panel. */
export const timeFormat = (language: PortalLanguage, timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
