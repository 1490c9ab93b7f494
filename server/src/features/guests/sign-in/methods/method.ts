import type { SignInOf } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { FieldName } from '@portico/contract/guests.ts';
import type { Provider, ProviderSlug } from '@portico/contract/portal-providers.ts';
import type { App } from '#lib/app.ts';
import type { Standing, Told } from '../../arrival/check-arrival.ts';
import type { Frame } from '../../guest-views.ts';

/** What a guest's earlier steps came to. */
export type So = Readonly<Record<string, string>>;

/** What the guest typed has not brought it in. */
export interface Refused {
  readonly problem: GuestProblem;
  readonly fields?: readonly FieldName[];
  readonly values?: Readonly<Record<string, string | number>>;
  /** The form was not filled in rightly: not an attempt that anyone wants to read of, nor a guess. */
  readonly slip?: true;
  /** Nobody's guess: it does not count towards having to wait. */
  readonly honest?: true;
  /** Told above the form for the code rather than above the methods. */
  readonly code?: Told['code'];
  readonly so?: So;
  /** Whose name was given, where it is known whose. */
  readonly of?: string | null;
}

/** Who the guest is; or why not; or the code that it was sent. `so`: what the next step has to know. */
export type Proof =
  | { readonly visitorId: string }
  | Refused
  | { readonly code: NonNullable<Told['code']>; readonly so: So };

export interface Attempt<S extends ProviderSlug> {
  readonly app: App;
  readonly frame: Frame;
  readonly at: Standing;
  readonly options: Extract<Provider, { slug: S }>['options'];
  readonly form: SignInOf<S>;
  /** The public address the request came from. */
  readonly address: string;
}

/** A way to sign in. */
export interface Method<S extends ProviderSlug> {
  /** Whom a guess is aimed at; null where there is nothing to guess. */
  readonly target: (form: SignInOf<S>, so: So) => string | null;
  /** What a failed attempt shows of what was typed; passwords and codes as dots. */
  readonly shown: (form: SignInOf<S>, so: So) => Record<string, string>;
  readonly prove: (attempt: Attempt<S>) => Promise<Proof>;
}

export const slip = (problem: GuestProblem, ...fields: FieldName[]): Refused => ({ problem, fields, slip: true });
