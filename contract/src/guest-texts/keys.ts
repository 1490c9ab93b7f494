import type { FieldName } from '../guest-fields.ts';
import type { GuestProblem } from '../guest-problems.ts';
import type { emojis } from '../surveys.ts';

/** The pages' texts, apart from the operator's messages. A missing text is a type error. */
export interface Texts {
  readonly fields: Readonly<Record<FieldName, string>>;
  readonly optional: string;
  readonly connect: string;
  readonly connecting: string;
  readonly showPassword: string;
  readonly hidePassword: string;
  readonly methods: string;
  readonly languages: string;
  readonly agreements: Readonly<Record<'kvkk' | 'general', string>>;
  /** The page that asks for the code that was sent to `{phone}`. */
  readonly code: { readonly title: string; readonly text: string; readonly again: string; readonly other: string };
  /** The text before the names of the agreements, where something is bought. */
  readonly agree: string;
  /** The boxes for the terms and the privacy notice, and the words above and below those for news and offers. */
  readonly consent: Readonly<Record<'terms' | 'notice' | 'news' | 'free', string>>;
  /** Tells that a link will be mailed. */
  readonly confirms: string;
  /** The mail that confirms the address `{email}`, and the page behind its link. */
  readonly mail: Readonly<
    Record<
      'title' | 'text' | 'again' | 'other' | 'send' | 'sent' | 'question' | 'confirm' | 'done' | 'doneText',
      string
    >
  >;
  /** OpenID accounts; `{name}` is the provider. */
  readonly social: Readonly<
    Record<'goOn' | 'title' | 'text' | 'outside' | 'android' | 'apple' | 'browser' | 'anyway', string>
  >;
  /** Buying access. `{rate}` is the rate of the tax. */
  readonly buy: Readonly<
    Record<
      | 'choose'
      | 'confirm'
      | 'tax'
      | 'receipt'
      | 'pay'
      | 'payText'
      | 'notYet'
      | 'havePaid'
      | 'byCard'
      | 'toRoom'
      | 'toKnownRoom'
      | 'charging'
      | 'chargingText'
      | 'chargingLater'
      | 'failed'
      | 'elsewhere'
      | 'elsewhereText'
      | 'switching'
      | 'restore'
      | 'code'
      | 'lost'
      | 'contact'
      | 'sendAgain'
      | 'sent'
      | 'more',
      string
    >
  >;
  /** Adding a voucher while online, and going on with one where the access was another. */
  readonly extend: Readonly<Record<'title' | 'add' | 'added' | 'soon' | 'soonText' | 'goOn', string>>;
  /** The links of the venue. */
  readonly links: { readonly title: string; readonly website: string; readonly map: string };
  readonly back: string;
  readonly retry: string;
  /** Shown by the page's script when nothing answers a form for a while. */
  readonly noAnswer: readonly [string, string];
  /** The link to the sign-in page. */
  readonly toForm: string;
  /** To the page that the guest sees while online. */
  readonly toOnline: string;
  /** The end of the advice to a guest whose access has ended, where the portal offers no other one. */
  readonly askStaff: string;
  /** The start of the advice to a guest whose access has not begun: `{time}` is a day and an hour on the clocks of the location. */
  readonly begins: string;
  /** The same after the end of a session. */
  readonly signInAgain: string;
  readonly reference: string;
  readonly online: {
    readonly title: string;
    readonly text: string;
    readonly almost: string;
    readonly almostText: string;
    readonly timeLeft: string;
    readonly timeUsed: string;
    readonly dataLeft: string;
    readonly dataUsed: string;
    readonly unlimited: string;
    readonly goOn: string;
    readonly logOut: string;
    /** Where the browser cannot end the session: how it ends. */
    readonly noLogOut: string;
    readonly refresh: string;
  };
  /** The page with the form that the browser posts to the router. */
  readonly handOver: Readonly<
    Record<'title' | 'text' | 'shown' | 'tried' | 'triedText' | 'here' | 'goOn' | 'leave' | 'leaveText', string>
  >;
  /** The page behind the QR code of a visitor's card. */
  readonly pass: { readonly title: string; readonly text: string; readonly away: string };
  /** The guest's own data: `{place}` stores it, and the law requires records for `{days}`. */
  readonly data: Readonly<
    Record<
      | 'title'
      | 'text'
      | 'name'
      | 'since'
      | 'surveys'
      | 'remembered'
      | 'yes'
      | 'no'
      | 'consents'
      | 'news'
      | 'newsText'
      | 'save'
      | 'saved'
      | 'sessions'
      | 'none'
      | 'now'
      | 'law'
      | 'account'
      | 'correct'
      | 'download'
      | 'mail'
      | 'mailed'
      | 'erase'
      | 'sure'
      | 'sureAccount'
      | 'eraseNow',
      string
    >
  >;
  /** The page for too many devices, which offers to end a session. */
  readonly full: Readonly<Record<'title' | 'text' | 'devices' | 'since' | 'end', string>>;
  /** The label above an advertisement. */
  readonly advertisement: string;
  /** In place of the sign-in form, while it waits for a video. */
  readonly adWait: string;
  readonly survey: {
    readonly title: string;
    readonly text: string;
    readonly send: string;
    readonly skip: string;
    /** The ends of a scale. */
    readonly least: string;
    readonly most: string;
    readonly several: string;
    /** The screen reader's texts for the faces. */
    readonly faces: Readonly<Record<(typeof emojis)[number], string>>;
  };
  /** Each problem as [title, advice]. `{wait}` is a duration. */
  readonly problems: Readonly<Record<GuestProblem, readonly [string, string]>>;
}
