import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { certificatePem, makeSigningKey } from '#lib/signer.ts';
import type { TlsOptions } from '#syslog/door.ts';
import { type Settings, SettingsError } from '../settings.ts';

type Name = 'SYSLOG_TLS_CERT' | 'SYSLOG_TLS_KEY' | 'SYSLOG_TLS_CA';

/** What syslog over TLS needs, out of the settings; undefined when it is off. Throws SettingsError for files that are of no use. */
export function syslogTls(settings: Settings): TlsOptions | undefined {
  const { SYSLOG_TLS_PORT: port, SYSLOG_TLS_CERT, SYSLOG_TLS_KEY, SYSLOG_TLS_CA } = settings;
  if (port === undefined) return undefined;
  const own = SYSLOG_TLS_CERT && SYSLOG_TLS_KEY;
  const pair = own
    ? { cert: read('SYSLOG_TLS_CERT', SYSLOG_TLS_CERT), key: read('SYSLOG_TLS_KEY', SYSLOG_TLS_KEY) }
    : madePair(settings.DATA_DIR);
  const ca = SYSLOG_TLS_CA === undefined ? undefined : read('SYSLOG_TLS_CA', SYSLOG_TLS_CA);
  check('SYSLOG_TLS_CERT', 'must be a certificate in PEM that goes with SYSLOG_TLS_KEY', () =>
    createSecureContext(pair),
  );
  if (ca !== undefined) check('SYSLOG_TLS_CA', 'must be a certificate in PEM', () => createSecureContext({ ca }));
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new SettingsError('SYSLOG_TLS_CA must be a certificate in PEM');
  return { port, ...pair, ca };
}

function read(name: Name, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SettingsError(`${name} must be a file that can be read`);
  }
}

function check(name: Name, must: string, use: () => unknown): void {
  try {
    use();
  } catch {
    throw new SettingsError(`${name} ${must}`);
  }
}

/** A certificate of our own making: what is sent is encrypted, and routers can be told to trust just this one. */
function madePair(dataDir: string): { cert: string; key: string } {
  const folder = path.join(dataDir, 'tls');
  const [certFile, keyFile] = [path.join(folder, 'syslog.crt'), path.join(folder, 'syslog.key')];
  if (!existsSync(certFile) || !existsSync(keyFile)) {
    const made = makeSigningKey('Syslog');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(keyFile, made.privateKey, { mode: 0o600 });
    writeFileSync(certFile, certificatePem(made.certificate));
  }
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
