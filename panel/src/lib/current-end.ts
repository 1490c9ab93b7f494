import { ApiError } from '#lib/client.ts';

/** The stored end, if a request expected another one; undefined for other errors. */
export function currentEnd(error: unknown, field = 'expected_end_at'): string | null | undefined {
  const end = error instanceof ApiError ? error.current?.[field] : undefined;
  return typeof end === 'number' ? undefined : end;
}
