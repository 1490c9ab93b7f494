import type { Problem, ProblemCode } from '@portico/contract/errors.ts';
import type { MessageKey } from '@portico/contract/field-messages.ts';
import type { FieldProblem } from '@portico/contract/validation.ts';

/** A problem whose message is known only when it happens. */
type AnyProblem = MessageKey | readonly [MessageKey, (Record<string, unknown> | undefined)?];

/** Values for the placeholders of a message. */
interface Values extends Record<string, unknown> {
  /** Of `too_many`: how long the caller should wait. */
  readonly seconds?: number;
}

/** A refusal that the caller reads in their own language; `fields` names what is wrong with each field. */
export class AppError extends Error {
  readonly code: ProblemCode;
  readonly values: Values;
  readonly fields: Record<string, AnyProblem> | undefined;
  readonly current: Problem['current'];
  constructor(
    code: ProblemCode,
    options: {
      values?: Values;
      fields?: Record<string, AnyProblem>;
      current?: Problem['current'];
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.code = code;
    this.values = options.values ?? {};
    this.fields = options.fields;
    this.current = options.current;
  }
}

/** A 422 about some fields: `invalid({ email: 'taken' })`. The compiler asks for a value for each placeholder. */
export const invalid = (fields: Record<string, FieldProblem>): AppError => new AppError('invalid', { fields });

export const notFound = (): AppError => new AppError('not_found');

/** The row, or a 404 when there is none that the caller may see. */
export function found<T>(row: T | undefined): T {
  if (row === undefined) throw notFound();
  return row;
}

/** Throws 404 when no row was changed: another caller deleted it first. */
export function foundAgain(count: number): void {
  if (count === 0) throw notFound();
}
