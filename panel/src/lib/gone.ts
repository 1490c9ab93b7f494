import { ApiError } from '#lib/client.ts';

/** Whether what stands on the screen is not there any more, or no longer for this person: it is not shown on. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);
