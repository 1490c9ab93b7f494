import { ApiError } from '#lib/client.ts';

/** Whether the shown object was deleted or is no longer accessible. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);
