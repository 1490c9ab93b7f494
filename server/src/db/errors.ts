/** The SQLSTATE of a database error; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** SQLSTATE of a change of a tenant that is frozen because it moves, raised by the trigger function refuse_moving. */
export const movingState = 'PTMOV';

/**
 * SQLSTATEs that say nothing about the statement itself: the same statement may succeed later. By class:
 * 08 connection, 40 serialization failure and deadlock, 53 insufficient resources (disk, memory, connections),
 * 57P shutdown and recovery, 58 system error. By code: 25006 read only, 25P03 idle transaction ended,
 * 55P03 lock time-out, 57014 statement time-out, PTMOV a tenant that moves.
 */
const temporaryStates = /^(08|40|53|58|57P|25006|25P03|55P03|57014|PTMOV)/;

/**
 * System calls that fail when PostgreSQL can't be reached. The embedded one has a unix socket, which may be missing (ENOENT), or
 * whose queue may be full while it hangs (EAGAIN).
 */
const networkCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)$/;

/** Texts of errors that node-postgres and its pool throw without a code. */
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/;

/** More queries wait than the database can answer soon. */
export class TooManyWaiting extends Error {
  constructor() {
    super('Too many queries wait for the database');
  }
}

/** Whether a caller broke off its request. Node's server then throws this, without a system call. */
export function isBrokenOff(error: unknown): boolean {
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown };
  return code === 'ECONNRESET' && message === 'aborted' && syscall === undefined;
}

/** Whether the database is unreachable, shutting down, full or overloaded, so that the caller may try again later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof TooManyWaiting) return true;
  if (isBrokenOff(error)) return false;
  const state = sqlState(error);
  if (state && !networkCodes.test(state)) return temporaryStates.test(state);
  const { code, syscall, message, errors } = (error ?? {}) as {
    code?: string;
    syscall?: string;
    message?: string;
    errors?: unknown[];
  };
  // A host name with several addresses fails with all of their errors.
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isUnavailable);
  if (code === 'ENOENT' || code === 'EAGAIN') return syscall === 'connect';
  return networkCodes.test(code ?? '') || driverMessages.test(message ?? '');
}
