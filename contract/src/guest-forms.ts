import { z } from 'zod';
import { fieldMax } from './guest-fields.ts';
import { workingMethods } from './guests.ts';
import { languageTag } from './language-tag.ts';
import type { ProviderSlug } from './portal-providers.ts';

/** Requests of routers and of the guest portal's forms. */

/** A missing, overlong or repeated value counts as empty, so that a guest gets a page with any query. */
const optional = (max: number) => z.string().max(max).catch('');

/** The query with which a router sends its guest: `{captive}/w/{nas_identifier}?mac=&ip=&login=&orig=&error=`. */
export const guestArrival = z.object({
  mac: optional(64),
  ip: optional(64),
  /** The return address: the router's sign-in address, to which the guest returns with a ticket. */
  login: optional(1000),
  /** The page that the guest wanted to see. */
  orig: optional(4000),
  error: optional(500),
  lang: optional(25),
  /**
   * Used by our own links: `form` shows the sign-in page, `router` leads through the router, `visit` shows the status page of a
   * guest who is online, and a refusal shows its page.
   */
  step: optional(16),
  /** Used by our own links: the problem of the guest's last form. */
  problem: optional(24),
  /** Used by our own links: the open sign-in method. */
  method: optional(24),
  /** The version of the router's sign-in page. */
  v: optional(8),
});
export type GuestArrival = z.output<typeof guestArrival>;

/** The version of the sentence beside each box for news and offers, if the guest ticked it. */
const allow = { allow_email: optional(64), allow_sms: optional(64), allow_call: optional(64) };

/** Fields of all methods. `state` is the page's hidden, signed field. */
const every = {
  state: z.string().min(1).max(8000),
  lang: optional(25),
  /** Required if the portal has one. */
  security_code: optional(fieldMax.security_code),
  /** The version of the agreements that the guest accepted. */
  agree: optional(64),
  /** Any text: the guest has read the privacy notice. Asked beside terms only. */
  notice: optional(8),
  ...allow,
};
const typed = (max: number) => z.string().trim().max(max).catch('');
/** Collected by any method if the operator wants it. */
const contact = { email: typed(fieldMax.email), phone: typed(fieldMax.phone) };

/**
 * The fields of `POST /w/{nas_identifier}/sign-in` (application/x-www-form-urlencoded) for the method `username`; the other
 * methods post to the same address. A missing field is empty, so that the page can name it.
 */
export const usernameSignIn = z.object({
  ...every,
  ...contact,
  method: z.literal('username'),
  username: typed(fieldMax.username),
  password: optional(fieldMax.password),
});
export type UsernameSignIn = z.output<typeof usernameSignIn>;

const citizenIdSignIn = z.object({
  ...every,
  ...contact,
  method: z.literal('citizen-id'),
  citizen_id: typed(fieldMax.citizen_id),
  first_name: typed(fieldMax.first_name),
  last_name: typed(fieldMax.last_name),
  birth_date: typed(fieldMax.birth_date),
});
const roomNumberSignIn = z.object({
  ...every,
  ...contact,
  method: z.literal('room-number'),
  room_number: typed(fieldMax.room_number),
  last_name: typed(fieldMax.last_name),
  id_number: typed(fieldMax.id_number),
  birth_date: typed(fieldMax.birth_date),
  departure_date: typed(fieldMax.departure_date),
});
/** The second step has the code; `again` (any text) asks for another code. */
const smsSignIn = z.object({
  ...every,
  ...contact,
  method: z.literal('sms'),
  code: z.string().trim().max(fieldMax.code).optional().catch(''),
  again: z.string().max(8).optional().catch(''),
});
const tempSignIn = z.object({ ...every, ...contact, method: z.literal('temp') });
const emailSignIn = z.object({ ...every, ...contact, method: z.literal('email') });
const voucherSignIn = z.object({
  ...every,
  ...contact,
  method: z.literal('voucher'),
  voucher: typed(fieldMax.voucher),
});

export const guestSignIn = z.discriminatedUnion('method', [
  usernameSignIn,
  citizenIdSignIn,
  roomNumberSignIn,
  smsSignIn,
  tempSignIn,
  emailSignIn,
  voucherSignIn,
]);
export type GuestSignIn = z.output<typeof guestSignIn>;
export type SignInOf<S extends ProviderSlug> = Extract<GuestSignIn, { method: S }>;

/** A form of the sign-in page that leads to the same page in another language or with another method open, or to an agreement. It keeps what was typed. */
export const guestGo = z.object({
  state: every.state,
  go: z.union([z.enum(['general', 'kvkk', ...workingMethods]), languageTag]),
});

/**
 * The fields of `POST /w/{nas_identifier}/survey` besides the answers: `q-{question}` for one choice or a text,
 * `q-{question}-{answer}` for several choices.
 */
export const guestSurveyForm = z.looseObject({ state: every.state, lang: optional(25), skip: optional(8) });
export type GuestSurveyForm = z.output<typeof guestSurveyForm>;
/** The fields of `POST /w/{nas_identifier}/make-room`: the session that the guest ends. */
export const guestMakeRoom = z.object({ state: every.state, lang: optional(25), session: optional(64) });
export type GuestMakeRoom = z.output<typeof guestMakeRoom>;

/** The fields of the forms on the own-data page. */
export const guestDataForm = z.object({ lang: optional(25) });

/** The form of the own-data page that allows and withdraws news and offers. `shown`: the channels with a box. */
export const guestMarketingForm = z.object({ lang: optional(25), shown: optional(40), ...allow });
export type GuestMarketingForm = z.output<typeof guestMarketingForm>;

/** The forms of the status page that have the confirmation mailed again, or to another address. */
export const guestMailForm = z.object({ lang: optional(25), email: typed(fieldMax.email) });
/** The form of `POST /w/{nas_identifier}/extend`: the code of another voucher. */
export const guestExtendForm = z.object({ lang: optional(25), voucher: typed(fieldMax.voucher) });
/** The form of the page behind the link that confirms an e-mail address. */
export const guestConfirmForm = z.object({ lang: optional(25), t: optional(100) });

/** The maximum length of a text answer. */
export const surveyTextMax = 1000;

/** The form of `POST /w/{nas_identifier}/social`: sign-in with an OpenID account; `provider` is the integration's id. */
export const guestSocialForm = z.object({
  state: z.string().min(1).max(8000),
  provider: z.uuid(),
  agree: optional(64),
  notice: optional(8),
  ...allow,
  lang: optional(25),
});

/** The form of `POST /w/{nas_identifier}/buy`; its signed state holds the package, the days and the price that were shown. */
export const guestBuyForm = z.object({
  ...every,
  ...contact,
  /** `room`: charge it to the hotel room. Its guest is known by the sign-in of this browser, or names room and surname. */
  pay: optional(8),
  room_number: typed(fieldMax.room_number),
  last_name: typed(fieldMax.last_name),
});
export type GuestBuyForm = z.output<typeof guestBuyForm>;
/** The same form, when it leads to an agreement or to another language and keeps what was typed. */
export const guestBuyGo = z.object({ state: every.state, go: z.union([z.enum(['general', 'kvkk']), languageTag]) });
/** `POST /w/{nas_identifier}/restore`: the code of a receipt, or where the receipt is sent again. */
export const guestRestoreForm = z.object({ ...every, voucher: typed(fieldMax.voucher), contact: typed(254) });
export type GuestRestoreForm = z.output<typeof guestRestoreForm>;
/** The choice of a guest on the page of the packages. */
export const guestChoice = z.object({ package: optional(64), days: optional(4) });
