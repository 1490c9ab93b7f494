import type { Settings } from '../settings.ts';
import { type Pair, readPair } from './tls-files.ts';

type Files = Pick<Settings, 'RADSEC_PORT' | 'RADSEC_TLS_CERT' | 'RADSEC_TLS_KEY'>;

/** The operator's own certificate for RADIUS over TLS; undefined where we make one. Throws SettingsError for files of no use. */
export function operatorsPair({ RADSEC_PORT, RADSEC_TLS_CERT, RADSEC_TLS_KEY }: Files): Pair | undefined {
  if (!RADSEC_PORT || !RADSEC_TLS_CERT || !RADSEC_TLS_KEY) return undefined;
  return readPair({ name: 'RADSEC_TLS_CERT', file: RADSEC_TLS_CERT }, { name: 'RADSEC_TLS_KEY', file: RADSEC_TLS_KEY });
}

const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates with which devices verify the operator's own one: its chain, or itself if the file has no other. PEM. */
export function operatorsChain(settings: Files): string | undefined {
  const all = operatorsPair(settings)?.cert.match(certificates) ?? [];
  const leading = all.length > 1 ? all.slice(1) : all;
  return leading.length ? `${leading.join('\n')}\n` : undefined;
}
