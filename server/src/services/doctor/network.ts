import { X509Certificate } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { Settings } from '../../settings.ts';
import { type Finding, failure, messageOf, ok, warning } from './finding.ts';

const timeoutMs = 5000;
const dayMs = 86_400_000;

const bare = (host: string): string => host.replace(/^\[|\]$/g, '');
const addressOf = (setting: string): URL => new URL(setting.replaceAll('{tenant}', 'panel'));

/** The host names that this installation depends on, with their settings. */
function namesOf(settings: Settings): [name: string, host: string][] {
  const named = (
    [
      ...(['PUBLIC_URL', 'CAPTIVE_URL', 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] as const),
      ...(['SMTP_URL', 'LOG_STORE_URL', 'TSA_URL'] as const),
    ] as const
  ).map(name => [name, settings[name]] as const);
  return named.flatMap(([name, url]): [string, string][] => {
    const host = url && bare(addressOf(url).hostname);
    return host ? [[name, host]] : [];
  });
}

export async function checkDns(settings: Settings): Promise<Finding[]> {
  const names = namesOf(settings);
  const results = await Promise.all(
    names.map(async ([name, host]) =>
      lookup(host).then(
        () => undefined,
        error =>
          failure(
            'dns',
            `${host} of ${name} has no address: ${messageOf(error)}`,
            `Create its DNS record, or correct ${name}`,
          ),
      ),
    ),
  );
  const failures = results.filter(it => it !== undefined);
  return failures.length > 0
    ? failures
    : [ok('dns', `${new Set(names.map(([, host]) => host)).size} names have addresses`)];
}

function checkExpiry(what: string, validTo: Date, renew: string): Finding {
  const days = Math.floor((validTo.getTime() - Date.now()) / dayMs);
  const on = validTo.toISOString().slice(0, 10);
  if (days < 0) return failure('tls', `the certificate of ${what} expired on ${on}`, renew);
  if (days < 14) return warning('tls', `the certificate of ${what} expires on ${on}`, renew);
  return ok('tls', `the certificate of ${what} is valid until ${on}`);
}

/** The certificate that a browser gets. */
function certificateOf(host: string, port: number): Promise<{ validTo: Date; problem?: string }> {
  return new Promise((resolve, reject) => {
    // TLS has no names for addresses.
    const servername = isIP(host) ? '' : host;
    const socket = connect({ host, port, servername, rejectUnauthorized: false, timeout: timeoutMs }, () => {
      const { valid_to } = socket.getPeerCertificate();
      const problem = socket.authorized ? {} : { problem: messageOf(socket.authorizationError) };
      socket.destroy();
      resolve({ validTo: new Date(valid_to), ...problem });
    });
    socket.once('timeout', () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
  });
}

async function checkSite(name: string, url: URL): Promise<Finding> {
  const renew = 'Renew it in the TLS proxy (docs/operations.md)';
  try {
    const { validTo, problem } = await certificateOf(bare(url.hostname), Number(url.port || 443));
    const end = checkExpiry(name, validTo, renew);
    if (end.level === 'failure' || !problem) return end;
    return failure('tls', `browsers do not trust the certificate of ${name}: ${problem}`, renew);
  } catch (error) {
    return failure('tls', `${name} does not answer over TLS: ${messageOf(error)}`, 'Check the TLS proxy and its port');
  }
}

export async function checkTls(settings: Settings): Promise<Finding[]> {
  const sites = (['PUBLIC_URL', 'CAPTIVE_URL'] as const)
    .map(name => [name, addressOf(settings[name])] as const)
    .filter(([, url]) => url.protocol === 'https:');
  const findings = await Promise.all(sites.map(([name, url]) => checkSite(name, url)));
  for (const name of ['SYSLOG_TLS_CERT', 'RADSEC_TLS_CERT'] as const) {
    const file = settings[name];
    if (!file) continue;
    try {
      const { validTo } = new X509Certificate(readFileSync(file));
      findings.push(checkExpiry(name, new Date(validTo), 'Renew the file and restart'));
    } catch (error) {
      findings.push(
        failure('tls', `${name} cannot be read: ${messageOf(error)}`, 'Set it to a certificate file in PEM'),
      );
    }
  }
  return findings;
}

/** Codes of nodemailer: it had no answer, so nothing was refused. */
const unanswered = new Set(['EDNS', 'ECONNECTION', 'ESOCKET', 'ETIMEDOUT']);

function mailProblem(error: unknown): Finding {
  const { code = '' } = error as { code?: string };
  const reason = messageOf(error);
  if (unanswered.has(code))
    return failure(
      'mail',
      `no connection to the mail server: ${reason}`,
      'Check the host and port of SMTP_URL, and that the firewall lets this machine reach them',
    );
  return failure('mail', `the mail server refuses: ${reason}`, 'Correct SMTP_URL (user, password, smtp or smtps)');
}

export async function checkMail({ SMTP_URL }: Settings): Promise<Finding[]> {
  if (!SMTP_URL) return [];
  const { createTransport } = await import('nodemailer');
  const limits = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs };
  const transport = createTransport(SMTP_URL, limits as object);
  try {
    await transport.verify();
    return [ok('mail', 'the mail server accepts the sign-in')];
  } catch (error) {
    return [mailProblem(error)];
  } finally {
    transport.close();
  }
}
