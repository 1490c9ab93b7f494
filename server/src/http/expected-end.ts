import type { MessageKey } from '@portico/contract/field-messages.ts';
import { AppError } from './app-error.ts';

interface Expectation {
  readonly field: string;
  /** The value that the caller saw; undefined if the call does not contain it. */
  readonly expected: string | number | null | undefined;
  readonly stored: string | number | null;
  readonly message: MessageKey;
}

/** An end that the caller saw, beside the stored one. */
export const expectedEnd = (
  expected: string | null | undefined,
  stored: string | null,
  field = 'expected_end_at',
): Expectation => ({ field, expected, stored, message: 'end_changed' });

const valueOf = (it: string | number | null) => (typeof it === 'string' ? Date.parse(it) : it);

/**
 * Throws 409 with the stored values where the caller saw others, so that two people, or one who presses twice, do not sell
 * twice. The rows must be locked.
 */
export function checkExpected(...expectations: readonly Expectation[]): void {
  const wrong = expectations.filter(it => it.expected !== undefined && valueOf(it.expected) !== valueOf(it.stored));
  if (!wrong.length) return;
  throw new AppError('end_changed', {
    fields: Object.fromEntries(wrong.map(it => [it.field, it.message])),
    current: Object.fromEntries(wrong.map(it => [it.field, it.stored])),
  });
}
