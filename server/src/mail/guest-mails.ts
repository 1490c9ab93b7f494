import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import type { GuestMails } from './guest-mail-data.ts';
import { ar } from './guest-mails/ar.ts';
import { de } from './guest-mails/de.ts';
import { en } from './guest-mails/en.ts';
import { es } from './guest-mails/es.ts';
import { fa } from './guest-mails/fa.ts';
import { fr } from './guest-mails/fr.ts';
import { it } from './guest-mails/it.ts';
import { ja } from './guest-mails/ja.ts';
import { ru } from './guest-mails/ru.ts';
import { tr } from './guest-mails/tr.ts';
import { uk } from './guest-mails/uk.ts';
import { zh } from './guest-mails/zh.ts';

export const guestMails: Readonly<Record<ShippedLanguage, GuestMails>> = {
  en,
  tr,
  de,
  ru,
  ar,
  fr,
  es,
  it,
  fa,
  uk,
  zh,
  ja,
};
