import type { PictureShape } from './block-kinds.ts';
import type { MarketingChannel } from './consent-kinds.ts';
import type { FieldName, GuestField } from './guest-fields.ts';
import type { GuestProblem } from './guest-problems.ts';
import type { MenuView } from './menu-view.ts';
import type { PictureSizes } from './picture-sizes.ts';
import type { PortalLanguage } from './portal-languages.ts';
import type { PortalMessages } from './portal-messages.ts';
import type { PortalPage } from './portal-page.ts';
import type { ProviderSlug } from './portal-providers.ts';
import type { PortalStyles } from './portal-styles.ts';

/** The data of the guest portal's pages. */

/** The implemented methods; others are not offered to guests. */
export const workingMethods = [
  'citizen-id',
  'room-number',
  'sms',
  'username',
  'temp',
  'email',
  'voucher',
] as const satisfies readonly ProviderSlug[];

/** A portal as guests see it; its pictures are paths on the guest origin. */
export interface PortalView {
  readonly id: string;
  readonly name: string;
  readonly styles: PortalStyles;
  readonly messages: Partial<PortalMessages>;
  readonly page: Pick<PortalPage, 'links' | 'languages' | 'own_languages'>;
  /** Width and height of its pictures, by file. The pages keep room for them. */
  readonly sizes: PictureSizes;
}

interface Common {
  readonly language: PortalLanguage;
  /** The link to each language, with `{lang}` as placeholder. Null hides the choice. */
  readonly languageLink: string | null;
  /** The nonce of this response's Content-Security-Policy, for its styles. */
  readonly nonce: string;
  /** The address of the page's script, which is optional. */
  readonly script: string;
  /** Null if no portal is known. */
  readonly portal: PortalView | null;
  readonly locationName: string;
}

export type AgreementKind = 'kvkk' | 'general';

export interface MethodView {
  readonly slug: ProviderSlug;
  readonly fields: readonly GuestField[];
  /** The hint that a link to confirm the address will be mailed. */
  readonly confirms?: boolean;
}

/** The form for a code that was sent to the guest's phone. */
export interface CodeStep {
  readonly slug: ProviderSlug;
  /** The phone number, masked. */
  readonly phone: string;
  readonly field: GuestField;
  /** The link to enter another number. */
  readonly back: string;
}

/** The sandbox of an embed code's frame: scripts may run, but cannot navigate the guest's page. */
export const embedSandbox =
  'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation';

/**
 * An advertisement. Pictures and the video are paths on the guest origin; the first picture is shown until the video plays. `frame` is
 * the address of an embed code's document.
 */
export interface AdView {
  readonly id: string;
  readonly name: string;
  readonly images: readonly string[];
  readonly frame: string | null;
  readonly video: string | null;
  /** How many seconds the sign-in form waits for the video. */
  readonly seconds: number | null;
  /** Leads to the advertiser by way of the portal; null before the guest is online. */
  readonly link: string | null;
}

/** A block of the page's content, in the guest's language. `html` was sanitised when it was saved. */
export type BlockView =
  | { readonly kind: 'text'; readonly html: string }
  | {
      readonly kind: 'picture';
      readonly src: string;
      readonly alt: string;
      readonly shape: PictureShape;
    }
  | { readonly kind: 'button'; readonly label: string; readonly href: string }
  /** The place of the page's advertisement. */
  | { readonly kind: 'advertisement' };

/** The boxes of a form: the terms, the privacy notice beside terms, and each channel for news and offers. */
export type ConsentBox = 'agree' | 'notice' | `allow_${MarketingChannel}`;

/** A box for news and offers by one channel. `version` identifies the sentence. */
export interface MarketingBox {
  readonly channel: MarketingChannel;
  readonly text: string;
  readonly version: string;
}

/** The page is in a window in which OpenID providers refuse a sign-in: how to open it in a browser. */
export interface OutsideView {
  readonly system: 'apple' | 'android';
  /** To be copied. */
  readonly address: string;
  /** Opens the browser. */
  readonly link: string | null;
}

export interface SignInView extends Common {
  readonly page: 'sign-in';
  readonly ad: AdView | null;
  readonly blocks: readonly BlockView[];
  readonly methods: readonly MethodView[];
  /** OpenID providers, with the labels of their buttons. */
  readonly social: readonly { readonly id: string; readonly label: string }[];
  readonly socialAction: string;
  /** Null in an ordinary browser, and without OpenID providers. */
  readonly outside: OutsideView | null;
  /** The link to the packages; null if nothing is sold. */
  readonly buy: string | null;
  /** The link to restore a purchase; null if the location has sold none. */
  readonly restore: string | null;
  readonly action: string;
  readonly state: string;
  /** Links to the portal's agreements. */
  readonly agreements: readonly { readonly kind: AgreementKind; readonly href: string }[];
  /** The version of the agreements; null without any. */
  readonly agree: string | null;
  /** Offered where the form asks for the address of the channel. */
  readonly marketing: readonly MarketingBox[];
  /** The boxes that the guest has just ticked. No other is ticked. */
  readonly ticked: readonly ConsentBox[];
  readonly problem: GuestProblem | null;
  /** The link to try again for a guest whom the router has not answered. */
  readonly retry: string | null;
  /** Values for the placeholders in the problem's text, such as `{minutes}`. */
  readonly problemValues: Readonly<Record<string, string | number>>;
  /** The method that was just tried; it is open. */
  readonly chosen: ProviderSlug | null;
  /** The fields that the problem concerns. */
  readonly wrong: readonly FieldName[];
  readonly code: CodeStep | null;
  /** Earlier input without passwords, or the data of the guest's card. */
  readonly values: Partial<Record<FieldName, string>>;
}

/** Links to other access; null for what the portal does not offer. */
export interface MoreAccess {
  readonly buy: string | null;
  readonly voucher: string | null;
}

export interface ProblemView extends Common {
  readonly page: 'problem';
  readonly problem: GuestProblem;
  readonly problemValues: Readonly<Record<string, string | number>>;
  /** A link to try again, if that can help. */
  readonly retry: string | null;
  /** The link to the sign-in page. */
  readonly form: string | null;
  /** What the portal offers to a guest who has used up the time or the data. */
  readonly more: MoreAccess;
  /** Shown, so that an operator can find the request. */
  readonly requestId: string;
}

/** The page with the link to an OpenID provider; form-action does not allow other hosts. */
export interface AwayView extends Common {
  readonly page: 'away';
  readonly provider: string;
  readonly href: string;
}

/** The page that leads to the router with the ticket. It stays while nothing answers there. */
export interface ConnectView extends Common {
  readonly page: 'connect';
  /** The router's address. */
  readonly href: string;
  /** The guest was there and came back, so the page does not lead on by itself. */
  readonly tried: boolean;
  /** This page, to try once more. */
  readonly retry: string;
  /** The sign-in page. */
  readonly form: string;
}

/** The page with the form that brings the ticket to the router, or ends the session there. */
export interface HandOverView extends Common {
  readonly page: 'hand-over';
  readonly way: 'in' | 'out';
  /** The router's address. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether a hidden frame can take the router's answer; otherwise it replaces the page. */
  readonly framed: boolean;
  /** The router answers with a page for the guest, so the page's script sends the form at once. */
  readonly opensPage: boolean;
  /** The page to go on to. */
  readonly next: string;
  /** The guest went on before the router asked about the ticket. */
  readonly tried: boolean;
}

export interface OnlineView extends Common {
  readonly page: 'online';
  readonly ad: AdView | null;
  readonly blocks: readonly BlockView[];
  /** False until the router has reported the session. */
  readonly online: boolean;
  /** RFC 3339. */
  readonly startedAt: string | null;
  readonly secondsUsed: number;
  /** Null: unlimited. */
  readonly secondsLeft: number | null;
  readonly bytesUsed: number;
  /** Null: unlimited. */
  readonly bytesLeft: number | null;
  /** The page that the guest wanted to see: an http(s) address, or null. */
  readonly goOn: string | null;
  /** The action of the log-out form. Null: the gateway lets no browser end a session. */
  readonly logOut: string | null;
  /** The link to buy more days, or to a payment that waits. */
  readonly buy: string | null;
  /** The link to the guest's own data. */
  readonly ownData: string | null;
  readonly refresh: string;
  /** The address that tells the page's script whether the session goes on (OnlineState); null before there is one. */
  readonly watch: string | null;
  /** Time or data is nearly over, and the guest can buy more or go on with a voucher. */
  readonly endsSoon: boolean;
  /** Set if the guest can enter the code of a voucher. */
  readonly extend: {
    readonly action: string;
    /** The voucher adds to the guest's own. Otherwise the guest signs in anew with it. */
    readonly adds: boolean;
    /** A code has just been added. */
    readonly added: boolean;
    readonly problem: GuestProblem | null;
    readonly problemValues: Readonly<Record<string, string | number>>;
  } | null;
  /** Set if the guest has to confirm its e-mail address. */
  readonly confirm: {
    /** Masked. */
    readonly email: string;
    /** The action of the forms that have the mail sent again, or to another address. */
    readonly action: string;
    readonly sent: boolean;
    readonly problem: GuestProblem | null;
    readonly problemValues: Readonly<Record<string, string | number>>;
    /** The address that was not one. */
    readonly typed: string;
  } | null;
}

/** What an open page of a guest who is online is told every now and then. */
export type OnlineState =
  | {
      /** Null: unlimited. */
      readonly seconds: number | null;
      readonly bytesLeft: number | null;
      readonly bytesUsed: number;
    }
  /** The page to load. `over`: the session has ended; otherwise there is something new, which can wait for a guest who is typing. */
  | { readonly to: string; readonly over: boolean };

/** The page behind the link that confirms an e-mail address. */
export interface ConfirmEmailView extends Common {
  readonly page: 'confirm-email';
  readonly action: string;
  readonly token: string;
  readonly email: string;
  readonly done: boolean;
}

/** An agreement. `html` was sanitised when it was saved. */
export interface AgreementView extends Common {
  readonly page: 'agreement';
  readonly kind: AgreementKind;
  readonly html: string;
  readonly back: string;
}

/** The page behind the QR code of a visitor's card. */
export interface PassView extends Common {
  readonly page: 'pass';
  /** The address that the router intercepts. */
  readonly connect: string;
}

export interface SurveyQuestion {
  readonly id: string;
  readonly label: string;
  readonly kind: 'text' | 'single' | 'multiple' | 'scale';
  readonly answers: readonly { readonly id: string; readonly label: string; readonly emoji: string | null }[];
}

/** A survey before or after the sign-in, or after a failed one, which `problem` explains. */
export interface SurveyView extends Common {
  readonly page: 'survey';
  readonly action: string;
  readonly state: string;
  readonly questions: readonly SurveyQuestion[];
  readonly problem: GuestProblem | null;
  readonly problemValues: Readonly<Record<string, string | number>>;
}

export type DataField = 'name' | 'username' | 'room_number' | 'phone' | 'email' | 'citizen_id' | 'birth_date';

/** A guest's own data. */
export interface DataView extends Common {
  readonly page: 'data';
  readonly action: string;
  /** The link to the same data as a file. */
  readonly file: string;
  readonly person: readonly { readonly field: DataField; readonly value: string }[];
  readonly since: string;
  readonly timeZone: string;
  readonly consents: readonly { readonly at: string; readonly language: PortalLanguage }[];
  /** News and offers: what the guest allows, and what it may allow. */
  readonly marketing: readonly (MarketingBox & {
    /** Masked. */
    readonly recipient: string;
    /** Since when it is allowed; null if it is not. */
    readonly givenAt: string | null;
  })[];
  readonly marketingSaved: boolean;
  /** The link to the privacy notice. */
  readonly notice: string | null;
  readonly sessions: readonly {
    readonly mac: string;
    readonly startedAt: string;
    readonly endedAt: string | null;
    readonly bytes: number;
  }[];
  /** The number of answered surveys. */
  readonly responses: number;
  readonly remembered: boolean;
  /** Deleting removes the whole account; false for accounts of the operator. */
  readonly whole: boolean;
  /** For how many days the law requires the record of sessions. */
  readonly lawDays: number;
  /** The masked address to which the link can be mailed. */
  readonly email: string | null;
  readonly mailed: boolean;
}

/** A guest with too many devices chooses the session to end. */
export interface FullView extends Common {
  readonly page: 'full';
  readonly action: string;
  readonly state: string;
  /** `mac` is masked. */
  readonly devices: readonly { readonly id: string; readonly mac: string; readonly startedAt: string }[];
  readonly timeZone: string;
  readonly problem: GuestProblem | null;
  readonly problemValues: Readonly<Record<string, string | number>>;
  /** The link to sign in as another visitor. */
  readonly back: string;
}

/** A package that guests can buy. Amounts are in minor units, with tax. */
export interface OfferView {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly price: number;
  readonly currency: string;
  readonly minDays: number;
  readonly maxDays: number;
}

/** The purchase that the guest is about to make. */
export interface OrderView {
  readonly name: string;
  readonly days: number;
  readonly price: number;
  readonly amount: number;
  readonly tax: number;
  /** In hundredths of a percent. */
  readonly taxRate: number;
  readonly currency: string;
}

/** The pages on which a guest buys access: choose, confirm, pay elsewhere, and come back. */
export interface BuyView extends Common {
  readonly page: 'buy';
  readonly problem: GuestProblem | null;
  readonly problemValues: Readonly<Record<string, string | number>>;
  /** The link to the sign-in page, if it is known. */
  readonly form: string | null;
  readonly at:
    | {
        readonly step: 'choose';
        readonly action: string;
        /** The query that the form keeps. */
        readonly hidden: Readonly<Record<string, string>>;
        readonly offers: readonly OfferView[];
        readonly restore: string;
      }
    | {
        readonly step: 'confirm';
        readonly action: string;
        readonly state: string;
        readonly order: OrderView;
        readonly agreements: readonly AgreementKind[];
        readonly agree: string | null;
        readonly agreed: boolean;
        readonly email: string;
        readonly phone: string;
        /** Whether there is a payment provider. */
        readonly byCard: boolean;
        /** The charge to a hotel room: `known` is the room of the guest who is signed in. Null: the hotel takes none. */
        readonly room: {
          readonly known: string | null;
          readonly number: string;
          readonly surname: string;
          /** Whether this way to pay is chosen. */
          readonly chosen: boolean;
        } | null;
        readonly wrong: readonly FieldName[];
        readonly change: string;
      }
    | {
        readonly step: 'pay';
        readonly href: string;
        readonly order: OrderView;
        /** The provider was asked, and knows of no payment yet. */
        readonly asked: boolean;
        readonly refresh: string;
      }
    /** The hotel system has not answered yet. */
    | { readonly step: 'charging'; readonly order: OrderView; readonly refresh: string; readonly isSlow: boolean }
    | { readonly step: 'failed' | 'elsewhere'; readonly again: string | null }
    | { readonly step: 'switching'; readonly refresh: string }
    | {
        readonly step: 'restore';
        readonly action: string;
        readonly state: string;
        readonly sent: boolean;
        readonly wrong: readonly FieldName[];
        readonly typed: string;
      };
}

export type GuestView =
  | BuyView
  | ConfirmEmailView
  | DataView
  | AwayView
  | ConnectView
  | FullView
  | HandOverView
  | SurveyView
  | SignInView
  | ProblemView
  | OnlineView
  | AgreementView
  | PassView;

/** The exports of `captive/dist/render.js`. */
export interface Renderer {
  /** An HTML document. */
  render(view: GuestView): string;
  /** The parts of a document that the preview replaces. `dark`: as on a phone that is set to dark. */
  renderParts(view: GuestView, dark?: boolean): { css: string; body: string };
  /** The preview's first page. Its script at `script` connects it with the panel at `origin`. */
  renderPreview(view: GuestView, panel: { origin: string; script: string }): string;
  /** The public QR menu as an HTML document. */
  renderMenu(view: MenuView): string;
}
