import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { FieldName } from '@portico/contract/guests.ts';
import type { emojis } from '@portico/contract/surveys.ts';

/** What the pages say besides the operator's own messages. A missing text does not compile. */
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
  /** The page on which a code is typed that was sent to `{phone}`. */
  readonly code: { readonly title: string; readonly text: string; readonly again: string; readonly other: string };
  /** Stands before the names of the agreements. */
  readonly agree: string;
  /** A link will be mailed. */
  readonly confirms: string;
  /** Accounts elsewhere; `{name}` is the provider's. */
  readonly social: { readonly goOn: string; readonly title: string; readonly text: string };
  readonly back: string;
  readonly retry: string;
  /** Leads back to the sign-in page. */
  readonly toForm: string;
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
    readonly refresh: string;
  };
  /** The page from which a guest without script goes to its router, and comes back from. */
  readonly handOver: Readonly<
    Record<'title' | 'text' | 'shown' | 'tried' | 'triedText' | 'here' | 'goOn' | 'leave' | 'leaveText', string>
  >;
  /** The page behind the QR code of a card. */
  readonly pass: { readonly title: string; readonly text: string; readonly away: string };
  /** What is kept of the guest: `{place}` keeps it, the law for `{days}`. */
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
      | 'sessions'
      | 'none'
      | 'now'
      | 'law'
      | 'account'
      | 'mail'
      | 'mailed'
      | 'erase'
      | 'sure'
      | 'eraseNow',
      string
    >
  >;
  /** One device too many: which of the others goes. */
  readonly full: Readonly<Record<'title' | 'text' | 'devices' | 'since' | 'end', string>>;
  /** Stands above what is one. */
  readonly advertisement: string;
  readonly survey: {
    readonly title: string;
    readonly text: string;
    readonly send: string;
    readonly skip: string;
    readonly several: string;
    /** What the faces say to those who do not see them. */
    readonly faces: Readonly<Record<(typeof emojis)[number], string>>;
  };
  /** Each as [title, what to do]. `{wait}` is a duration. */
  readonly problems: Readonly<Record<GuestProblem, readonly [string, string]>>;
}
