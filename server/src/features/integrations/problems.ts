import type { IntegrationProblem } from '@portico/contract/integration-problems.ts';
import { AddressRefused } from '#lib/outbound-http.ts';
import { UnreadableSecret } from '#lib/secrets.ts';

/** What keeps an integration from working: a kind of trouble, and what the other side said. */
export class Trouble extends Error {
  readonly code: IntegrationProblem;
  constructor(code: IntegrationProblem, detail = '') {
    super(detail);
    this.code = code;
  }
}

/** A row that tells of trouble. */
export interface Told {
  readonly problem: IntegrationProblem | null;
  readonly last_error: string | null;
}

/** By the code of an error: of the network, of TLS, of PostgreSQL, of MySQL and MariaDB, of SQL Server's driver. */
const codes: readonly (readonly [RegExp, IntegrationProblem])[] = [
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/, 'unknown_host'],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE|PROTOCOL_CONNECTION_LOST|ESOCKET|EHOSTDOWN)$/,
    'unreachable',
  ],
  [/^(ETIMEDOUT|ETIMEOUT|57014|PROTOCOL_SEQUENCE_TIMEOUT)$/, 'timed_out'],
  [/^(28P01|28000|ER_ACCESS_DENIED_ERROR|ELOGIN|EAUTH|18456)$/, 'login_refused'],
  [/^(42501|ER_TABLEACCESS_DENIED_ERROR|ER_COLUMNACCESS_DENIED_ERROR|ER_DBACCESS_DENIED_ERROR|229|230)$/, 'no_rights'],
  [/^(42P01|42703|3D000|3F000|ER_NO_SUCH_TABLE|ER_BAD_DB_ERROR|ER_BAD_FIELD_ERROR|208|207|4060)$/, 'not_there'],
  [
    /CERT|^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HANDSHAKE_NO_SSL_SUPPORT|ETLS|ERR_TLS|ERR_SSL|EPROTO|EENCRYPT)/,
    'not_safe',
  ],
];
const texts: readonly (readonly [RegExp, IntegrationProblem])[] = [
  [/certificate|self.signed|\bSSL\b|\bTLS\b|secure connection/i, 'not_safe'],
  [/time(d)?[ -]?out/i, 'timed_out'],
];

/** The innermost error that carries a code: drivers wrap what the network said. */
function innermost(error: unknown): { code?: unknown; number?: unknown; message?: string } {
  let at = error as { cause?: unknown; errors?: unknown[]; code?: unknown; message?: string };
  for (let depth = 0; depth < 5; depth++) {
    const inner = at.errors?.[0] ?? at.cause;
    if (!inner || typeof inner !== 'object') return at;
    at = inner as typeof at;
  }
  return at;
}

/** What an error means for an operator. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Trouble) return error;
  if (error instanceof AddressRefused) return new Trouble('address_refused');
  if (error instanceof UnreadableSecret) return new Trouble('secret_unreadable');
  const inner = innermost(error);
  const message = (inner.message ?? String(error)).replace(/\s+/g, ' ').slice(0, 300);
  // SQL Server tells what went wrong by number; the code only says that a request failed.
  const said = [inner.number, inner.code, (error as { code?: unknown }).code]
    .filter(it => it !== undefined)
    .map(String);
  const code =
    codes.find(([pattern]) => said.some(it => pattern.test(it)))?.[1] ??
    texts.find(([pattern]) => pattern.test(message))?.[1];
  return new Trouble(code ?? 'other', message);
}
