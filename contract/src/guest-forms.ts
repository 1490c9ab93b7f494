import { z } from 'zod';
import type { ProviderSlug } from './portal-providers.ts';

/** What routers and the forms of the guest portal send. */

/** What is missing, too long or sent twice counts as empty: a guest gets a page whatever a router sends. */
const optional = (max: number) => z.string().max(max).catch('');

/** Sent by a router with its guest: `{captive}/w/{nas_identifier}?mac=&ip=&login=&orig=&error=`. */
export const guestArrival = z.object({
  mac: optional(64),
  ip: optional(64),
  /** The router's own sign-in address (MikroTik: link-login-only), to which the guest returns with a ticket. */
  login: optional(500),
  /** What the guest wanted to see. */
  orig: optional(4000),
  error: optional(500),
  lang: optional(5),
  /** Our own pages' word for what comes next: `form` for the sign-in page, whatever was remembered; `router` for the way through the router; or a refusal to tell once more. */
  step: optional(16),
  /** The version of the router's sign-in page. */
  v: optional(8),
});
export type GuestArrival = z.output<typeof guestArrival>;

/** What the forms of all methods carry. `state` is the hidden, signed field of the page: where the guest stands. */
const every = {
  state: z.string().min(1).max(8000),
  lang: optional(5),
  /** Where the portal asks for one. */
  security_code: optional(64),
  /** The version of the agreements that was ticked. */
  agree: optional(64),
};
const typed = (max: number) => z.string().trim().max(max).catch('');
/** Collected by any method that is told to. */
const contact = { email: typed(254), phone: typed(40) };

/**
 * The fields of `POST /w/{nas_identifier}/sign-in` (application/x-www-form-urlencoded) for the method `username`; the other
 * methods' below go to the same address. What is missing is empty, so that the guest can be told what is.
 */
export const usernameSignIn = z.object({
  ...every,
  ...contact,
  method: z.literal('username'),
  username: typed(255),
  password: optional(255),
});
export type UsernameSignIn = z.output<typeof usernameSignIn>;

const citizenIdSignIn = z.object({
  ...every,
  ...contact,
  method: z.literal('citizen-id'),
  citizen_id: typed(32),
  first_name: typed(120),
  last_name: typed(120),
  birth_date: typed(32),
});
const roomNumberSignIn = z.object({
  ...every,
  ...contact,
  method: z.literal('room-number'),
  room_number: typed(32),
  id_number: typed(64),
  birth_date: typed(32),
  departure_date: typed(32),
});
/** With the code once one was sent; `again` (any text) asks for another. */
const smsSignIn = z.object({
  ...every,
  ...contact,
  method: z.literal('sms'),
  code: z.string().trim().max(16).optional().catch(''),
  again: z.string().max(8).optional().catch(''),
});
const tempSignIn = z.object({ ...every, ...contact, method: z.literal('temp') });
const emailSignIn = z.object({ ...every, ...contact, method: z.literal('email') });

export const guestSignIn = z.discriminatedUnion('method', [
  usernameSignIn,
  citizenIdSignIn,
  roomNumberSignIn,
  smsSignIn,
  tempSignIn,
  emailSignIn,
]);
export type GuestSignIn = z.output<typeof guestSignIn>;
export type SignInOf<S extends ProviderSlug> = Extract<GuestSignIn, { method: S }>;

/** The fields of `POST /w/{nas_identifier}/survey` besides the answers: `q-{question}` for one choice or a text, `q-{question}-{answer}` for several. */
export const guestSurveyForm = z.looseObject({ state: every.state, lang: optional(5), skip: optional(8) });
export type GuestSurveyForm = z.output<typeof guestSurveyForm>;
/** The fields of `POST /w/{nas_identifier}/make-room`: which of its own sessions a guest ends to go on here. */
export const guestMakeRoom = z.object({ state: every.state, lang: optional(5), session: optional(64) });
export type GuestMakeRoom = z.output<typeof guestMakeRoom>;

/** The fields of the forms on the page of a guest's own data. */
export const guestDataForm = z.object({ state: every.state, lang: optional(5) });

/** What a guest writes in answer to a question, at most. */
export const surveyTextMax = 1000;

/** The form of `POST /w/{nas_identifier}/social`: sign-in with an account elsewhere, `provider` being the integration's id. */
export const guestSocialForm = z.object({
  state: z.string().min(1).max(8000),
  provider: z.uuid(),
  agree: optional(64),
});
