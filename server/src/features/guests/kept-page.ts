import type { FieldName } from '@portico/contract/guest-fields.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { App } from '#lib/app.ts';
import type { FormPost } from '#routers/driver.ts';
import type { ClientInfo } from './client-info.ts';
import type { Cookie } from './cookie.ts';
import type { CodeFacts, Visit } from './guest-state.ts';
import type { Frame } from './guest-views.ts';
import { restOfWait } from './online/wait.ts';
import { browserMark } from './same-browser.ts';
import type { PageMessage } from './sign-in/page-message.ts';

/**
 * A form is answered by a redirect to a page. The browser can load that page again, in another language or when the guest comes
 * back to it. The further content of the page is kept for some minutes in a cookie of this browser. It is encrypted, because it
 * contains the guest's input. Others on an open network can see addresses, so addresses contain none of it.
 */

/** The content of the page after a form. */
export interface KeptPage {
  /** The guest device; another one does not get the page. */
  readonly mac: string;
  /** The portal on which the guest has begun to sign in, where periods show others. */
  readonly portal?: string | undefined;
  readonly status?: number;
  /** The sign-in page: the problem, and what was typed. */
  readonly message?: PageMessage;
  /** Set while the page asks for the code that was sent. */
  readonly code?: CodeFacts;
  /** The choice of a session to end, or the survey after a failed sign-in, with its signed state. */
  readonly full?: { readonly state: string; readonly problem: GuestProblem };
  readonly survey?: {
    readonly state: string;
    readonly problem: GuestProblem;
    readonly values: PageMessage['problemValues'];
  };
  /** The input in the summary of a purchase, with the version of the agreements that was ticked. */
  readonly purchase?: {
    readonly email: string;
    readonly phone: string;
    readonly agree: string;
    readonly pay: string;
    readonly room: string;
    readonly surname: string;
    /** The refusal of the form, with the ids that its next attempt has again. */
    readonly refused?: RefusedPurchase;
  };
  /** The page that restores a purchase: the problem of its form, and the contact that was typed. */
  readonly restore?: {
    readonly sent: boolean;
    readonly problem: GuestProblem | null;
    readonly values: Record<string, string | number>;
    readonly wrong: readonly FieldName[];
    readonly typed: string;
    readonly status: number;
  };
  /** The link to an OpenID provider. */
  readonly away?: { readonly provider: string; readonly href: string };
  /** The form that ends the session at the router. */
  readonly logOut?: { readonly visit: Visit; readonly form: FormPost };
}

/** The refused purchase of one choice: another package or number of days is another purchase. */
export interface RefusedPurchase {
  readonly package: string;
  readonly days: number;
  readonly purchase: string;
  readonly roomPurchase: string;
  readonly problem: GuestProblem;
  readonly values: Record<string, string | number>;
  readonly wrong: readonly FieldName[];
  readonly status: number;
}

type ProblemValues = Readonly<Record<string, string | number>>;
type KeptPurchase = NonNullable<KeptPage['purchase']>;
type KeptRestore = NonNullable<KeptPage['restore']>;

const name = 'portico_form';
/** A page kept in a cookie cannot be put into the address of another browser. */
const purposes = { cookie: 'kept page', address: 'kept page in an address' } as const;
const seconds = 900;
/** Browsers drop a longer cookie. */
const maxLength = 3800;

type Packed = [purpose: string, nas: string, at: number, page: KeptPage, browser?: string];

type Carrier = keyof typeof purposes;

function packPage({ secrets }: App, carrier: Carrier, nas: string, page: KeptPage, browser?: string): string {
  const packed: Packed = [purposes[carrier], nas, Math.ceil(Date.now() / 1000), page];
  if (browser !== undefined) packed.push(browser);
  return Buffer.from(secrets.encrypt(JSON.stringify(packed)), 'base64').toString('base64url');
}

export function keptPageCookie(app: App, nas: string, page: KeptPage): Cookie {
  const pack = (it: KeptPage) => packPage(app, 'cookie', nas, it);
  const full = pack(page);
  const value = full.length > maxLength ? pack({ ...page, message: { ...page.message, values: {} } }) : full;
  return { name, value, seconds, path: `/w/${nas}` };
}

/** The same page for the address of this browser, without the guest's input; undefined if the page can be shown without. */
export function keptPageText(app: App, nas: string, page: KeptPage, client: Frame['client']): string | undefined {
  const { mac, portal, status, code, full, survey, message = {} } = page;
  // An access that has not begun names its begin.
  if (!code && !full && !survey && message.problem !== 'not_yet') return undefined;
  const { values: _, ticked: _ticked, ...shown } = message;
  const shownPage = {
    ...{ mac, portal, message: shown },
    ...(status !== undefined && { status }),
    ...(code && { code }),
    ...(full && { full }),
    ...(survey && { survey }),
  };
  return packPage(app, 'address', nas, shownPage, browserMark(app, client));
}

const cookiePattern = /(?:^|;\s*)portico_form=([\w-]+)(?:;|$)/;

/** The page that this browser's last form led to at this device; undefined without one. `mac`: only for this guest device. */
export const keptPageOf = (app: App, nas: string, client: ClientInfo, mac?: string): KeptPage | undefined =>
  unpackPage(app, 'cookie', nas, cookiePattern.exec(client.cookies)?.[1], mac) ??
  unpackPage(app, 'address', nas, client.kept, mac, browserMark(app, client));

/** The guest device of the page for a code in the address; undefined without one. */
export function macOfCodePage(app: App, nas: string, client: ClientInfo): string | undefined {
  const page = unpackPage(app, 'address', nas, client.kept, undefined, browserMark(app, client));
  return page?.code && page.mac;
}

function unpackPage(
  { secrets }: App,
  carrier: Carrier,
  nas: string,
  text: string | undefined,
  mac?: string,
  browser?: string,
): KeptPage | undefined {
  const plain = text && secrets.read(Buffer.from(text, 'base64url').toString('base64'));
  if (!plain?.startsWith(`["${purposes[carrier]}",`)) return undefined;
  const [, of, at, page, from] = JSON.parse(plain) as Packed;
  const age = Math.max(0, Math.floor(Date.now() / 1000 - at));
  const fits = of === nas && from === browser && age <= seconds && (mac === undefined || page.mac === mac);
  return fits ? afterWaiting(page, age) : undefined;
}

/** A problem that asks the guest to wait names the time that is left, and is left out once it is over. */
function afterWaiting({ message, purchase, restore, ...rest }: KeptPage, age: number): KeptPage {
  return {
    ...rest,
    ...(message && messageAfterWaiting(message, age)),
    ...(purchase && { purchase: purchaseAfterWaiting(purchase, age) }),
    ...(restore && restoreAfterWaiting(restore, age)),
  };
}

/** The values of a problem after `age` seconds; undefined if the guest need not wait any more. */
function valuesAfter(values: ProblemValues, age: number): ProblemValues | undefined {
  const wait = values['seconds'];
  if (wait === undefined) return values;
  const seconds = restOfWait(Number(wait) - age);
  return seconds === 0 ? undefined : { ...values, seconds };
}

function messageAfterWaiting(message: PageMessage, age: number): Pick<KeptPage, 'message' | 'status'> {
  const { problem, problemValues, ...typed } = message;
  if (!problem || !problemValues) return { message };
  const left = valuesAfter(problemValues, age);
  return left ? { message: { ...message, problemValues: left } } : { status: 200, message: typed };
}

function purchaseAfterWaiting(purchase: KeptPurchase, age: number): KeptPurchase {
  const { refused, ...typed } = purchase;
  const values = refused && valuesAfter(refused.values, age);
  return values ? { ...typed, refused: { ...refused, values } } : typed;
}

function restoreAfterWaiting(restore: KeptRestore, age: number): Pick<KeptPage, 'restore'> {
  const values = valuesAfter(restore.values, age);
  return values ? { restore: { ...restore, values } } : {};
}

/** Deletes the cookie, if there is one. */
export const dropKeptPage = (nas: string, { cookies }: ClientInfo): readonly Cookie[] =>
  cookiePattern.test(cookies) ? [{ name, value: '', seconds: 0, path: `/w/${nas}` }] : [];
