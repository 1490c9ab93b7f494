import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { certificatePem, makeSigningKey } from '#lib/certificates.ts';
import { checkPem, readNamed, readPair } from '#lib/tls-files.ts';
import type { TlsOptions } from '#syslog/listener.ts';
import { type Settings, SettingsError } from '../settings.ts';

/** The certificates of syslog over TLS, from the settings; undefined when it is off. Throws SettingsError for unusable files. */
export async function syslogTls(settings: Settings): Promise<TlsOptions | undefined> {
  const { SYSLOG_TLS_PORT: port, SYSLOG_TLS_CERT, SYSLOG_TLS_KEY, SYSLOG_TLS_CA } = settings;
  if (port === undefined) return undefined;
  const pair =
    SYSLOG_TLS_CERT && SYSLOG_TLS_KEY
      ? readPair({ name: 'SYSLOG_TLS_CERT', file: SYSLOG_TLS_CERT }, { name: 'SYSLOG_TLS_KEY', file: SYSLOG_TLS_KEY })
      : await madePair(settings.DATA_DIR);
  const ca = SYSLOG_TLS_CA === undefined ? undefined : readNamed('SYSLOG_TLS_CA', SYSLOG_TLS_CA);
  if (ca !== undefined) checkPem('SYSLOG_TLS_CA', 'must be a certificate in PEM', () => createSecureContext({ ca }));
  if (ca !== undefined && !ca.includes('-----BEGIN CERTIFICATE-----'))
    throw new SettingsError('SYSLOG_TLS_CA must be a certificate in PEM');
  return { port, ...pair, ca };
}

/** A self-signed certificate. Routers can be configured to trust exactly this one. */
async function madePair(dataDir: string): Promise<{ cert: string; key: string }> {
  const folder = path.join(dataDir, 'tls');
  const [certFile, keyFile] = [path.join(folder, 'syslog.crt'), path.join(folder, 'syslog.key')];
  if (!existsSync(certFile) || !existsSync(keyFile)) {
    const made = await makeSigningKey('Syslog');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(keyFile, made.privateKey, { mode: 0o600 });
    writeFileSync(certFile, certificatePem(made.certificate));
  }
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}
