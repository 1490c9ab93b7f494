import type { IntegrationProblem } from '@portico/contract/integration-problems.ts';
import { oneLine } from '#lib/one-line.ts';
import { PlainIssuer } from '#lib/openid.ts';
import { AddressRefused } from '#lib/outbound-http.ts';
import { UnreadableSecret } from '#lib/secrets.ts';

/** The reason why an integration fails: a problem code and the message of the remote side. */
export class IntegrationError extends Error {
  readonly code: IntegrationProblem;
  constructor(code: IntegrationProblem, detail = '') {
    super(oneLine(detail));
    this.code = code;
  }
}

/** A row with a problem and the remote side's message. */
export interface ProblemRow {
  readonly problem: IntegrationProblem | null;
  readonly last_error: string | null;
}

/** By error code: of the network, TLS, PostgreSQL, MySQL and MariaDB, and SQL Server's driver. */
const codes: readonly (readonly [RegExp, IntegrationProblem])[] = [
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/, 'unknown_host'],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE|PROTOCOL_CONNECTION_LOST|ESOCKET|EHOSTDOWN)$/,
    'unreachable',
  ],
  [/^(ETIMEDOUT|ETIMEOUT|57014|PROTOCOL_SEQUENCE_TIMEOUT)$/, 'timed_out'],
  [/^(28P01|28000|ER_ACCESS_DENIED_ERROR|ELOGIN|EAUTH|18456)$/, 'login_refused'],
  [/^(42501|ER_TABLEACCESS_DENIED_ERROR|ER_COLUMNACCESS_DENIED_ERROR|229|230)$/, 'no_rights'],
  // MariaDB does not tell an account without rights whether a database exists.
  [/^(3D000|ER_BAD_DB_ERROR|ER_DBACCESS_DENIED_ERROR|4060)$/, 'no_database'],
  [/^(42P01|3F000|ER_NO_SUCH_TABLE|208)$/, 'no_table'],
  [/^(42703|ER_BAD_FIELD_ERROR|207)$/, 'not_there'],
  [
    /CERT|^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HANDSHAKE_NO_SSL_SUPPORT|ETLS|ERR_TLS|ERR_SSL|EPROTO|EENCRYPT)/,
    'not_safe',
  ],
];
/** By message, where the code says less. */
const exactTexts: typeof codes = [[/^Cannot open database /, 'no_database']];
const texts: typeof codes = [
  [/certificate|self.signed|\bSSL\b|\bTLS\b|secure connection/i, 'not_safe'],
  [/time(d)?[ -]?out/i, 'timed_out'],
];

/** The innermost error: drivers wrap the errors of the network. */
function innermost(error: unknown): { code?: unknown; number?: unknown; message?: string } {
  let at = error as { cause?: unknown; errors?: unknown[]; code?: unknown; message?: string };
  for (let depth = 0; depth < 5; depth++) {
    const inner = at.errors?.[0] ?? at.cause;
    if (!inner || typeof inner !== 'object') return at;
    at = inner as typeof at;
  }
  return at;
}

/** The problem that an error means for an operator. */
export function problemOf(error: unknown): IntegrationError {
  if (error instanceof IntegrationError) return error;
  if (error instanceof UnreadableSecret) return new IntegrationError('secret_unreadable');
  if (error instanceof PlainIssuer) return new IntegrationError('not_safe', error.message);
  const inner = innermost(error);
  if (inner instanceof AddressRefused) return new IntegrationError('address_refused');
  const message = oneLine(inner.message ?? String(error));
  // SQL Server gives the reason as a number; the code only says that a request failed.
  const said = [inner.number, inner.code, (error as { code?: unknown }).code]
    .filter(it => it !== undefined)
    .map(String);
  const code =
    exactTexts.find(([pattern]) => pattern.test(message))?.[1] ??
    codes.find(([pattern]) => said.some(it => pattern.test(it)))?.[1] ??
    texts.find(([pattern]) => pattern.test(message))?.[1];
  return new IntegrationError(code ?? 'other', message);
}
