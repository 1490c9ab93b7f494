import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { CodeStep, SignInView } from '@portico/contract/guests.ts';
import type { CodeFacts } from '../guest-state.ts';

/** A code that was sent. */
export type SentCode = Pick<CodeStep, 'slug' | 'phone'>;

/** The content of a sign-in page besides its empty form. */
export interface PageMessage extends Partial<Pick<SignInView, 'chosen' | 'wrong' | 'ticked' | 'values'>> {
  readonly code?: SentCode | null;
  readonly problem?: GuestProblem | undefined;
  readonly problemValues?: SignInView['problemValues'];
}

/** What the page shows again if the router does not let the guest in. */
export interface ShownAgain {
  readonly message: PageMessage;
  readonly code?: CodeFacts | undefined;
}
