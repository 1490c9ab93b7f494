import { type DestinationStream, type LogFn, type Logger, type LoggerOptions, pino } from 'pino';
import { isUnavailable } from '#db/errors.ts';
import { steadyNow } from './steady-clock.ts';

/** The logged part of an error: without attached objects, and without the values that a database error quotes, because users typed them. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, code, constraint, stack, cause } = error as Error & { code?: unknown; constraint?: unknown };
  const quotes = typeof code === 'string' && /^2[23]/.test(code);
  const text = quotes ? message.replace(/: ".*$/s, '') : message;
  // The place in the code says nothing about why the database is unavailable.
  const frames = isUnavailable(error) ? undefined : stack?.split('\n    at ').slice(1, 8);
  return { name, message: text, code, constraint, at: frames, ...(cause ? { cause: describe(cause) } : {}) };
}

const outageLogMs = 10_000;

/**
 * While the database is unavailable every request, packet and job fails with the same error. Each message about it is
 * written once in ten seconds; `unlogged` counts those in between.
 */
function limitOutages(): (line: Parameters<LogFn>, write: LogFn) => void {
  const written = new Map<string, { at: number; unlogged: number }>();
  return (line, write) => {
    const [fields, message] = line as unknown[];
    const error = (fields as { err?: unknown } | undefined)?.err;
    if (!error || !isUnavailable(error)) return write(...line);
    const key = String(message);
    const before = written.get(key);
    const now = steadyNow();
    if (before && now - before.at < outageLogMs) {
      before.unlogged++;
      return;
    }
    written.set(key, { at: now, unlogged: 0 });
    write({ ...(fields as object), ...(before?.unlogged ? { unlogged: before.unlogged } : {}) }, key);
  };
}

/** The process's log: JSON lines with request ids and without personal data. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const limit = limitOutages();
  const options: LoggerOptions = {
    level,
    base: null,
    redact: ['*.password', '*.token'],
    serializers: {
      err: describe,
      req: (request: { id: string; method: string }) => ({ id: request.id, method: request.method }),
    },
    hooks: {
      logMethod(line, method) {
        limit(line, method.bind(this));
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
