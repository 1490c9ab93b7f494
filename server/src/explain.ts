import { isUnavailable, sqlState } from '#db/errors.ts';
import { settingsCommand } from '#lib/command-line.ts';

/** PostgreSQL's codes for an unknown login or database, for a wrong password, and while it starts or stops. */
const refusesLogin = /^(28|3D)/;
const startsOrStops = /^57P/;
const diskFull = '53100';

/** One line that explains a common mistake of an operator and how to correct it; otherwise the error's message. */
export function explain(error: unknown): string {
  const { code, message, port } = error as { code?: string; message: string; port?: number };
  const state = sqlState(error);
  const options = `(${settingsCommand})`;
  if (code === 'EADDRINUSE') return `Port ${port ?? ''} is in use: stop what uses it or choose another ${options}`;
  if (code === 'EACCES' && port) return `Port ${port} may not be opened by this user: choose one above 1023 ${options}`;
  if (state === diskFull) return `The disk of the database is full: free space or add a disk (${message})`;
  if (/ENOSPC|No space left on device/.test(message)) return `The disk is full: free space or add a disk (${message})`;
  if (refusesLogin.test(state ?? '')) return `DATABASE_URL must name a database and a login to it: ${message}`;
  const isAway = isUnavailable(error) && (state === undefined || !/^\d/.test(state) || startsOrStops.test(state));
  if (isAway) return `DATABASE_URL must lead to a PostgreSQL server that answers: ${reason(error)}`;
  return message;
}

/** A host name with several addresses fails with the errors of all, and says nothing itself. */
const reason = (error: unknown): string => {
  const { message, errors = [] } = error as { message: string; errors?: readonly Error[] };
  return message || errors.map(each => each.message).join('; ');
};
