import { type Logger, pino } from 'pino';

/**
 * What a log keeps of an error: never the objects that hang on it, and of a database error not the values it quotes,
 * which are what somebody typed.
 */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, code, constraint, stack, cause } = error as Error & { code?: unknown; constraint?: unknown };
  const quotes = typeof code === 'string' && /^2[23]/.test(code);
  const told = quotes ? message.replace(/: ".*$/s, '') : message;
  const frames = stack?.split('\n    at ').slice(1, 8);
  return { name, message: told, code, constraint, at: frames, ...(cause ? { cause: describe(cause) } : {}) };
}

/** The process's log: JSON lines with request ids and without personal data. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    redact: ['*.password', '*.token'],
    serializers: {
      err: describe,
      req: (request: { id: string; method: string }) => ({ id: request.id, method: request.method }),
    },
  });
