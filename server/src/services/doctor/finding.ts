/** One line of the doctor: what it looked at, how it is, and what to do if it is not well. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'failure';
  readonly message: string;
  readonly remedy?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message });
export const warning = (check: string, message: string, remedy: string): Finding => ({
  ...{ check, level: 'warning', message, remedy },
});
export const failure = (check: string, message: string, remedy: string): Finding => ({
  ...{ check, level: 'failure', message, remedy },
});

/** The message of an error in one line. Errors of several addresses have their messages inside. */
export function wordsOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] };
  return (message || errors?.[0]?.message || code || String(error)).split('\n')[0]!;
}
