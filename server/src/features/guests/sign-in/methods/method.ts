import type { FieldName } from '@portico/contract/guest-fields.ts';
import type { SignInOf } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { Provider, ProviderSlug } from '@portico/contract/portal-providers.ts';
import type { Tx } from '#db/tenant.ts';
import type { App } from '#lib/app.ts';
import type { ClientInfo } from '../../client-info.ts';
import type { GuestRequest } from '../../guest-context.ts';
import type { CodeFacts } from '../../guest-state.ts';
import type { Frame } from '../../guest-views.ts';
import type { AuthorizeGuest } from '../authorize-guest.ts';
import type { SentCode } from '../page-message.ts';
import type { Place } from './phone.ts';

/** Why a sign-in failed. */
export interface Refused {
  readonly problem: GuestProblem;
  readonly fields?: readonly FieldName[];
  readonly values?: Readonly<Record<string, string | number>>;
  /** The form was incomplete or malformed. That is neither recorded as a failed sign-in nor counted as a guess. */
  readonly inputError?: true;
  /** The failure does not count as a guess. */
  readonly notAGuess?: true;
  /** Set to show the problem above the form for the code. */
  readonly code?: SentCode;
  readonly next?: CodeFacts;
  /** The visitor whose name was entered, if there is one. */
  readonly visitorId?: string | null;
}

/** The verified visitor, or why there is none, or the step for a code that was sent. */
export type Proof = Verified | Refused | { readonly code: SentCode; readonly next: CodeFacts };

interface Verified {
  readonly visitorId: string;
  /** Found by the MAC of the device alone, which can be copied. */
  readonly byAddress?: boolean;
  /**
   * Uses up what is valid once, in the transaction that admits the guest. If the database goes away before, the guest can press
   * again. Throws AlreadyUsed. The result gives it back, for a guest whom the router then does not let in.
   */
  readonly use?: Use;
}
export type Use = (tx: Tx) => Promise<(tx: Tx) => Promise<void>>;

/** Another press of the form came first. */
export class AlreadyUsed extends Error {
  override readonly name = 'AlreadyUsed';
  readonly refused: Refused;
  constructor(refused: Refused) {
    super(refused.problem);
    this.refused = refused;
  }
}

export interface Attempt<S extends ProviderSlug> {
  readonly app: App;
  readonly authorize: AuthorizeGuest;
  readonly frame: Frame;
  readonly request: GuestRequest;
  /** Set in the second step of the SMS method. */
  readonly previous: CodeFacts | undefined;
  readonly options: Extract<Provider, { slug: S }>['options'];
  readonly form: SignInOf<S>;
  /** The guest's public address. */
  readonly address: string;
  readonly client: ClientInfo;
}

export interface Method<S extends ProviderSlug> {
  /** The account that a guess aims at; null if there is nothing to guess. */
  readonly target: (form: SignInOf<S>, previous: CodeFacts | undefined, place: Place) => string | null;
  /**
   * The input that a failed sign-in records, encrypted. Callers without `view-clients` see it masked. Passwords and codes are
   * never in it.
   */
  readonly recorded: (form: SignInOf<S>, previous: CodeFacts | undefined, place: Place) => Record<string, string>;
  readonly prove: (attempt: Attempt<S>) => Promise<Proof>;
}

export const inputError = (problem: GuestProblem, ...fields: FieldName[]): Refused => ({
  problem,
  fields,
  inputError: true,
});
