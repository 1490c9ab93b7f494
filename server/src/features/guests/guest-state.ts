import { timingSafeEqual } from 'node:crypto';
import type { Rule } from '@portico/contract/rules.ts';
import { isId } from '#lib/ids.ts';
import type { Secrets } from '#lib/secrets.ts';
import type { Allowed } from './sign-in/marketing.ts';

/** A guest device at the portal: which router sent it, and where it goes back to. */
export interface Visit {
  readonly nas: string;
  readonly mac: string;
  readonly ip: string;
  /** The return address: the router's own sign-in address. */
  readonly login: string;
  /** The page that the guest wanted to see. */
  readonly orig: string;
  /** The portal on which the guest has begun, where periods show others. */
  readonly portal?: string | undefined;
}

/** The facts of the SMS method about a guest who was sent a code. */
export interface CodeFacts {
  readonly phone: string;
  readonly email: string;
  /** The version of the agreements that the guest accepted. */
  readonly agree: string;
  /** The marketing that the guest allowed; absent in pages from before an update. */
  readonly allowed?: readonly Allowed[] | undefined;
}

/** The known data of an admitted guest; each field depends on the sign-in method. */
export interface OnlineFacts {
  readonly visitor?: string;
  /** Without a visitor: the user name that the router was sent. The session under it is this guest's. */
  readonly userName?: string;
  /** Kept where the router does not tell why it refused a ticket. */
  readonly ticket?: string;
  /** The router has reported the session, so that a missing one has ended. */
  readonly seen?: true;
  /** The guest was sent to the router. */
  readonly out?: WayOut;
}

/** How a guest was sent to its router. */
export interface WayOut {
  /** The router's address; missing where a form leads there. */
  readonly to?: string;
  readonly ticket: string;
  /** Unix time in seconds. Later, the guest signs in again. */
  readonly until: number;
  /** How often a page of ours has led there by itself. */
  readonly shown: number;
}

/** Facts of each step; a guest who is about to sign in has none. */
interface Facts {
  readonly 'sign-in': object;
  readonly code: CodeFacts;
  readonly survey: { readonly survey: string; readonly moment: Rule['state']; readonly ticket?: string };
  /** The visitor signed in correctly, but has too many devices online. */
  readonly full: {
    readonly visitor: string;
    readonly method: string;
    readonly email: string;
    readonly phone: string;
    readonly agreed: string;
    readonly allowed?: readonly Allowed[] | undefined;
  };
  /** The terms that the page shows. `purchase`: the id that the purchase will have, however often the form is sent. */
  readonly buy: {
    readonly purchase: string;
    /** The same if the guest has it charged to its room. */
    readonly roomPurchase: string;
    readonly package: string;
    readonly days: number;
    readonly price: number;
    readonly currency: string;
    readonly taxRate: number;
  };
  /** In a cookie: the visitor of the voucher with which the guest goes on. `agreed`: the agreements that it has accepted. */
  readonly switch: { readonly visitor: string; readonly agreed: string | null };
  /** In a cookie: what this browser bought last. */
  readonly bought: { readonly purchase: string };
  /** In a cookie only; see online/visit-cookie.ts. */
  readonly online: OnlineFacts;
  /** In the address of the page that leads to the router, for browsers that refuse cookies. */
  readonly lead: { readonly to: string; readonly until: number; readonly browser: string };
  /** In the address of the page with the router's form, for browsers that refuse cookies. */
  readonly bring: { readonly ticket: string; readonly browser: string };
  /** A link to the guest's own data that was mailed. */
  readonly 'data-mail': { readonly visitor: string };
}

export type GuestStep = keyof Facts;
export type StateOf<S extends GuestStep> = { readonly step: S; readonly visit: Visit } & Facts[S];

/** The state of a guest, by step. It travels signed with the page or in a cookie, so that no server has to remember it. */
export type GuestState = { [S in GuestStep]: StateOf<S> }[GuestStep];

type Packed = [
  nas: string,
  mac: string,
  ip: string,
  login: string,
  orig: string,
  at: number,
  facts: object | null,
  portal?: string,
];

/** How long a state is valid. */
export const stateSeconds = 12 * 3600;
/** Guests may read a mail days later. */
const maxMailAgeSeconds = 7 * 86_400;
/** How long a guest who has begun to sign in stays with the portal of that page. */
const begunSeconds = 3600;
/** The longest package, and a little. */
export const boughtSeconds = 400 * 86_400;

/** A ticket for a form lives as long: without script the guest reads a page and presses a button before it is used. */
export const formTicketSeconds = 300;

const maxAges: Partial<Record<GuestStep, number>> = {
  'data-mail': maxMailAgeSeconds,
  bought: boughtSeconds,
};
const maxAgeOf = (step: GuestStep): number => maxAges[step] ?? stateSeconds;

const signature = (secrets: Secrets, step: GuestStep, payload: string) =>
  secrets.signBriefly(`guest ${step}:${payload}`);

/** The state as text for a hidden field or a cookie. It is valid for twelve hours and for this step only. */
export function packState(secrets: Secrets, { step, visit, ...facts }: GuestState, now = Date.now()): string {
  const { nas, mac, ip, login, orig, portal } = visit;
  const kept = Object.keys(facts).length ? facts : null;
  const packed: Packed = [nas, mac, ip, login, orig, Math.floor(now / 1000), kept];
  if (portal) packed.push(portal);
  const payload = Buffer.from(JSON.stringify(packed)).toString('base64url');
  return `${payload}.${signature(secrets, step, payload)}`;
}

/** Reverses packState; undefined for text that was not signed for this step or is too old. */
export function unpackState<S extends GuestStep>(
  secrets: Secrets,
  step: S,
  text: string,
  now = Date.now(),
): StateOf<S> | undefined {
  const [payload = '', given = ''] = text.split('.', 2);
  const expected = Buffer.from(signature(secrets, step, payload));
  const bytes = Buffer.from(given);
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return undefined;
  const [nas, mac, ip, login, orig, at, facts, portal] = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  ) as Packed;
  if (now / 1000 - at > maxAgeOf(step)) return undefined;
  // The signature proves that packState wrote the facts of this step.
  const begun = portal && now / 1000 - at <= begunSeconds ? { portal } : {};
  return { step, visit: { nas, mac, ip, login, orig, ...begun }, ...(facts as Facts[S]) };
}

/** The address of the guest in a state of any step, and the portal on which it has begun. Neither is verified. */
export function readPlace(text: unknown): { readonly ip?: string | undefined; readonly portal?: string | undefined } {
  try {
    const packed: unknown = JSON.parse(Buffer.from(String(text).split('.', 1)[0]!, 'base64url').toString());
    if (!Array.isArray(packed)) return {};
    const [ip, portal] = [packed[2], packed[7]] as unknown[];
    return { ip: typeof ip === 'string' ? ip : undefined, portal: isId(portal) ? portal : undefined };
  } catch {
    return {};
  }
}
