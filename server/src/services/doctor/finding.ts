/** One line of the doctor: the check, its result, and the remedy for a problem. */
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

/** The message of an error in one line. An error of several addresses contains their errors, and one of fetch its cause. */
export function messageOf(error: unknown): string {
  const { message, code, errors, cause } = error as {
    message?: string;
    code?: string;
    errors?: Error[];
    cause?: unknown;
  };
  if (message === 'fetch failed' && cause) return messageOf(cause);
  return (message || errors?.[0]?.message || code || String(error)).split('\n')[0]!;
}
