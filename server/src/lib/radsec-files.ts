import type { Settings } from '../settings.ts';
import { type Pair, readPair } from './tls-files.ts';

type Files = Pick<Settings, 'RADSEC_PORT' | 'RADSEC_TLS_CERT' | 'RADSEC_TLS_KEY'>;

/** The operator's own certificate for RADIUS over TLS; undefined where we make one. Throws SettingsError for files of no use. */
export function operatorsPair({ RADSEC_PORT, RADSEC_TLS_CERT, RADSEC_TLS_KEY }: Files): Pair | undefined {
  if (!RADSEC_PORT || !RADSEC_TLS_CERT || !RADSEC_TLS_KEY) return undefined;
  return readPair({ name: 'RADSEC_TLS_CERT', file: RADSEC_TLS_CERT }, { name: 'RADSEC_TLS_KEY', file: RADSEC_TLS_KEY });
}

const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** What the operator's certificate is known by: those that lead to its root, or itself where it stands alone. PEM. */
export function operatorsChain(settings: Files): string | undefined {
  const all = operatorsPair(settings)?.cert.match(certificates) ?? [];
  const leading = all.length > 1 ? all.slice(1) : all;
  return leading.length ? `${leading.join('\n')}\n` : undefined;
}
