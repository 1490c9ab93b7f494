import { fill, type Language, type Problem, type ProblemCode, problems } from '@portico/contract/errors.ts';
import { isBrokenOff, isUnavailable, movingState, sqlState } from '#db/errors.ts';
import { UnreadableSecret } from '#lib/secrets.ts';
import { AppError } from './app-error.ts';

export interface Refusal {
  readonly status: number;
  readonly body: Problem;
  readonly retryAfter?: number;
}

const ofFastify: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_REQ_FILE_TOO_LARGE: 'too_large',
};

function codeOf(error: unknown): ProblemCode {
  if (error instanceof AppError) return error.code;
  if (error instanceof UnreadableSecret) return 'stored_unreadable';
  if (sqlState(error) === movingState) return 'tenant_moving';
  if (isUnavailable(error)) return 'away';
  if (isBrokenOff(error)) return 'bad_request';
  // Two callers passed the checks at the same time; a constraint stopped the second.
  const state = sqlState(error);
  if (state === '23505' || state === '23503') return 'conflict';
  // A day that does not exist, such as February 30th, or an unknown time zone.
  if (state === '22007' || state === '22008' || state === '22009') return 'invalid';
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number };
  if (code && ofFastify[code]) return ofFastify[code];
  if (statusCode === 413) return 'too_large';
  if (statusCode === 415) return 'unsupported_media';
  if (statusCode === 429) return 'too_many';
  return statusCode && statusCode >= 400 && statusCode < 500 ? 'bad_request' : 'broken';
}

/** How long a caller should wait before it tries again while the database is unavailable. */
export const unavailableSeconds = 5;
/** The same while its tenant is copied to another installation. */
const movingSeconds = 30;
/** The same while the first request with its Idempotency-Key still runs. */
const inProgressSeconds = 5;
/** The same while pictures wait for their turn, or for the machine. */
const picturesSeconds = 30;

/** The reply for anything thrown. It holds only texts of the contract. */
export function refusal(error: unknown, language: Language): Refusal {
  const code = codeOf(error);
  const values = error instanceof AppError ? error.values : { seconds: (error as { seconds?: number })?.seconds ?? 60 };
  const { status, ...text } = problems[code];
  const body = { message: fill(text[language], values), code };
  if (code === 'too_many') return { status, body, retryAfter: values.seconds ?? 60 };
  if (code === 'in_progress') return { status, body, retryAfter: inProgressSeconds };
  if (code === 'tenant_moving') return { status, body, retryAfter: movingSeconds };
  if (code === 'pictures_busy') return { status, body, retryAfter: picturesSeconds };
  return code === 'away' || code === 'archive_away'
    ? { status, body, retryAfter: unavailableSeconds }
    : { status, body };
}
