import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import type { Words } from './words.ts';

/** The look of a venue's mails. */
export interface VenueLook {
  /** `#rrggbb`. */
  readonly color: string;
  /** A path of the guest origin, or null. */
  readonly logo: string | null;
}

/** Mails to guests come from the venue and speak of it: the product's name means nothing to a guest. */
export interface GuestMailData {
  /** `venue` is missing in mails that an earlier version queued. */
  confirm_guest_email: { location: string; link: string; hours: number; venue?: VenueLook };
  own_data: { location: string; link: string; days: number; venue?: VenueLook };
  /** Amounts are in the words of the language. `tax` is empty if there is none. */
  purchase_receipt: {
    location: string;
    package: string;
    days: number;
    amount: string;
    tax: string;
    rate: string;
    order: string;
    code: string;
    venue?: VenueLook;
  };
}

/** The form of a word for a number, by the plural rules of the language. */
export const plural = (language: ShippedLanguage, count: number, words: Plural): string =>
  words[new Intl.PluralRules(language).select(count)] ?? words.other;
type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** The mails in one language. */
export type GuestMails = { readonly [T in keyof GuestMailData]: (data: GuestMailData[T]) => Words };
