import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { CodeStep, SignInView } from '@portico/contract/guests.ts';

/** A code that was sent. */
export type SentCode = Pick<CodeStep, 'slug' | 'phone'>;

/** The content of a sign-in page besides its empty form. */
export interface PageMessage extends Partial<Pick<SignInView, 'chosen' | 'wrong' | 'ticked' | 'values'>> {
  readonly code?: SentCode | null;
  readonly problem?: GuestProblem | undefined;
  readonly problemValues?: SignInView['problemValues'];
}
