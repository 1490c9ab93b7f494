import type { PortalLanguage } from './errors.ts';
import type { GuestProblem } from './guest-problems.ts';
import type { MenuView } from './menu-view.ts';
import type { PortalMessages } from './portal-messages.ts';
import type { ProviderSlug } from './portal-providers.ts';
import type { PortalStyles } from './portal-styles.ts';

/** What the server hands to the pages of the guest portal. */

/** The methods that guests can use today; an operator's others are not offered to them. */
export const workingMethods = [
  'citizen-id',
  'room-number',
  'sms',
  'username',
  'temp',
  'email',
] as const satisfies readonly ProviderSlug[];

export type FieldName =
  | 'username'
  | 'password'
  | 'citizen_id'
  | 'first_name'
  | 'last_name'
  | 'birth_date'
  | 'room_number'
  | 'id_number'
  | 'departure_date'
  | 'phone'
  | 'email'
  | 'security_code'
  | 'code';

/** One input of a sign-in form: how it is typed and what the browser may fill in. */
export interface GuestField {
  readonly name: FieldName;
  readonly type: 'text' | 'password' | 'tel' | 'email' | 'date';
  readonly autocomplete: string;
  readonly inputmode?: 'numeric' | 'tel' | 'email' | 'text';
  readonly optional?: boolean;
}

/** A portal as a guest meets it; its pictures are paths of the guest origin. */
export interface PortalView {
  readonly id: string;
  readonly name: string;
  readonly styles: PortalStyles;
  readonly messages: Partial<PortalMessages>;
}

interface Common {
  readonly language: PortalLanguage;
  /** Where each language is found; `{lang}` in it is replaced. Null hides the choice. */
  readonly languageLink: string | null;
  /** Of this response's Content-Security-Policy: only styles that carry it are applied. */
  readonly nonce: string;
  /** The address of the page's small conveniences; without it everything works as well. */
  readonly script: string;
  /** Null on pages shown before any portal is known. */
  readonly portal: PortalView | null;
  readonly locationName: string;
}

export type AgreementKind = 'kvkk' | 'general';

export interface MethodView {
  readonly slug: ProviderSlug;
  readonly fields: readonly GuestField[];
  /** The guest is told that a link to confirm the address will be mailed. */
  readonly confirms?: boolean;
}

/** A code was sent to the guest's phone, and is asked for in place of the methods. */
export interface CodeStep {
  readonly slug: ProviderSlug;
  /** The phone, but for its last digits hidden. */
  readonly phone: string;
  readonly field: GuestField;
  /** Where another number can be typed. */
  readonly back: string;
}

/** What an embed code's document may do: its frames run as they are used to, and never lead the guest's page elsewhere. */
export const embedSandbox =
  'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation';

/** An advertisement of the portal. Pictures are paths of the guest origin, `frame` the address of an embed code's own document. */
export interface AdView {
  readonly id: string;
  readonly name: string;
  readonly images: readonly string[];
  readonly frame: string | null;
}

export interface SignInView extends Common {
  readonly page: 'sign-in';
  readonly ad: AdView | null;
  readonly methods: readonly MethodView[];
  /** Providers of accounts elsewhere that guests can sign in with, by what stands on their buttons. */
  readonly social: readonly { readonly id: string; readonly label: string }[];
  readonly socialAction: string;
  readonly action: string;
  readonly state: string;
  /** Where the agreements of this portal can be read, if it has any. */
  readonly agreements: readonly { readonly kind: AgreementKind; readonly href: string }[];
  /** The version of these, to be ticked; null without any. */
  readonly agree: string | null;
  /** They were ticked a moment ago. */
  readonly agreed: boolean;
  readonly problem: GuestProblem | null;
  /** What fills the places of the problem's text, such as `{minutes}`. */
  readonly problemValues: Readonly<Record<string, string | number>>;
  /** The method just tried, which stands open. */
  readonly chosen: ProviderSlug | null;
  /** The fields that the problem is about. */
  readonly wrong: readonly FieldName[];
  readonly code: CodeStep | null;
  /** What was typed before, without passwords; or what the guest's card says. */
  readonly values: Partial<Record<FieldName, string>>;
}

export interface ProblemView extends Common {
  readonly page: 'problem';
  readonly problem: GuestProblem;
  readonly problemValues: Readonly<Record<string, string | number>>;
  /** A link that tries again, when trying again can help. */
  readonly retry: string | null;
  /** The sign-in page, where another way in may be chosen. */
  readonly form: string | null;
  /** Named on the page so that an operator can find the request. */
  readonly requestId: string;
}

/** On the way to a provider: a page of its own, as a form may not lead to strangers' hosts. */
export interface AwayView extends Common {
  readonly page: 'away';
  readonly provider: string;
  readonly href: string;
}

/** On the way to a router that takes no link: a form brings the ticket there, or ends the session. */
export interface HandOverView extends Common {
  readonly page: 'hand-over';
  readonly way: 'in' | 'out';
  /** The router's own address. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether its answer can be kept out of sight; otherwise it takes the place of this page. */
  readonly framed: boolean;
  /** Where the guest goes on to. */
  readonly next: string;
  /** The guest went on, but the router has asked nothing yet. */
  readonly tried: boolean;
}

export interface OnlineView extends Common {
  readonly page: 'online';
  readonly ad: AdView | null;
  /** False: signed in a moment ago, and the router has not reported the session yet. */
  readonly online: boolean;
  /** RFC 3339. */
  readonly startedAt: string | null;
  readonly secondsUsed: number;
  /** Null: unlimited. */
  readonly secondsLeft: number | null;
  readonly bytesUsed: number;
  /** Null: unlimited. */
  readonly bytesLeft: number | null;
  /** What the guest wanted to see: an http(s) address, or null. */
  readonly goOn: string | null;
  readonly logOut: string | null;
  /** The page of what is kept of this guest. */
  readonly ownData: string | null;
  readonly refresh: string;
}

/** An agreement to read. `html` was cleaned when it was written. */
export interface AgreementView extends Common {
  readonly page: 'agreement';
  readonly kind: AgreementKind;
  readonly html: string;
  readonly back: string;
}

/** What the QR code of a visitor's card opens, on the guest's way to the router. */
export interface PassView extends Common {
  readonly page: 'pass';
  /** Where the router asks who is there. */
  readonly connect: string;
}

export interface SurveyQuestion {
  readonly id: string;
  readonly label: string;
  readonly kind: 'text' | 'single' | 'multiple';
  readonly answers: readonly { readonly id: string; readonly label: string; readonly emoji: string | null }[];
}

/** A survey, before the sign-in or after it, or when it failed: then `problem` says why. */
export interface SurveyView extends Common {
  readonly page: 'survey';
  readonly action: string;
  readonly state: string;
  readonly questions: readonly SurveyQuestion[];
  readonly problem: GuestProblem | null;
  readonly problemValues: Readonly<Record<string, string | number>>;
}

export type DataField = 'name' | 'username' | 'room_number' | 'phone' | 'email' | 'citizen_id' | 'birth_date';

/** What is kept of a guest, for the guest alone. */
export interface DataView extends Common {
  readonly page: 'data';
  readonly action: string;
  readonly state: string;
  readonly person: readonly { readonly field: DataField; readonly value: string }[];
  readonly since: string;
  readonly timeZone: string;
  readonly consents: readonly { readonly at: string; readonly language: PortalLanguage }[];
  readonly sessions: readonly {
    readonly mac: string;
    readonly startedAt: string;
    readonly endedAt: string | null;
    readonly bytes: number;
  }[];
  /** Surveys answered. */
  readonly responses: number;
  readonly remembered: boolean;
  /** All of it goes; otherwise the account is the operator's and stays. */
  readonly whole: boolean;
  /** How long the law has the record of sessions kept. */
  readonly lawDays: number;
  /** Where the link to this page can be mailed, but for its ends hidden. */
  readonly email: string | null;
  readonly mailed: boolean;
}

/** A guest who is online on as many devices as it may be chooses which of them makes room. */
export interface FullView extends Common {
  readonly page: 'full';
  readonly action: string;
  readonly state: string;
  /** `mac` shows only the ends of the address. */
  readonly devices: readonly { readonly id: string; readonly mac: string; readonly startedAt: string }[];
  readonly timeZone: string;
  readonly problem: GuestProblem | null;
  readonly problemValues: Readonly<Record<string, string | number>>;
  /** To sign in as somebody else. */
  readonly back: string;
}

export type GuestView =
  | DataView
  | AwayView
  | FullView
  | HandOverView
  | SurveyView
  | SignInView
  | ProblemView
  | OnlineView
  | AgreementView
  | PassView;

/** What `captive/dist/render.js` exports. */
export interface Renderer {
  /** A whole HTML document. */
  render(view: GuestView): string;
  /** The parts of a document that the preview swaps. */
  renderParts(view: GuestView): { css: string; body: string };
  /** What the preview frame loads first: the page with the bridge (at `script`) to the panel at `panelOrigin`. */
  renderPreview(view: SignInView, panel: { origin: string; script: string }): string;
  /** The public QR menu, whole. */
  renderMenu(view: MenuView): string;
}
