// The kinds of imports. Without zod, so that screens can use them without the schemas.

export const importSources = ['freeradius', 'radiusdesk', 'user-manager', 'csv', 'sessions'] as const;
/**
 * The first two, `failed` and `deleting` are those of a file of past sessions, which is sent in parts and deleted in steps. `stopped`: who
 * started it was removed, or may not import there any more.
 */
export const importStates = [
  'uploading',
  'reading',
  'failed',
  'ready',
  'running',
  'stopped',
  'done',
  'deleting',
] as const;
/** The choices for visitors whose username exists already. */
export const existingChoices = ['keep', 'update'] as const;
/** Why a past session is not imported. */
export const sessionSkips = ['open', 'dates', 'guest', 'old', 'exists'] as const;
/** Why a file of past sessions cannot be read. */
export const sessionProblems = [
  'import_unknown_file',
  'import_line',
  'import_quote',
  'import_cut',
  'session_columns',
  'session_rows',
  'session_none',
  'import_disk',
  'import_unread',
] as const;
/** The limits of a file of visitors. */
export const foreignFile = { bytes: 20 * 1024 ** 2 } as const;
/** The limits of a file of past sessions, and of one part of it. */
export const sessionFile = { bytes: 1024 ** 3, partBytes: 8 * 1024 ** 2, sessions: 5_000_000 } as const;
