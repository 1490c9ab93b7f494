import { constants, existsSync, statSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { settingsCommand } from '#lib/command-line.ts';
import { productVersion } from '#lib/product-version.ts';
import type { Settings, SettingsError } from '../../settings.ts';
import { type Finding, failure, messageOf, ok, warning } from './finding.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Log lines are dropped below this limit. */
const reserveBytes = 0.5e9;
const lowBytes = 2e9;

export function checkVersions(): Finding[] {
  const version = productVersion();
  const node = process.versions.node;
  if (Number(node.split('.')[0]) < 24)
    return [
      warning(
        'versions',
        `Portico ${version} runs on Node ${node}`,
        'Start it with npm or the package, which include Node 24',
      ),
    ];
  const unbuilt = ['panel/dist/index.html', 'captive/dist/server/render.js', 'docs/manual/dist/index.html'].find(
    file => !existsSync(path.join(root, file)),
  );
  if (unbuilt) return [warning('versions', `Portico ${version} is not built: ${unbuilt} is missing`, 'npm run build')];
  return [ok('versions', `Portico ${version}, Node ${node}, ${process.platform} ${process.arch}`)];
}

export function checkSettings(settings: Settings): Finding[] {
  const findings: Finding[] = [];
  const warn = (message: string, remedy: string) => findings.push(warning('settings', message, remedy));
  if (settings.NODE_ENV !== 'production')
    warn(`NODE_ENV is ${settings.NODE_ENV}`, 'Set NODE_ENV=production for real guests');
  else {
    for (const name of ['PUBLIC_URL', 'CAPTIVE_URL'] as const) {
      const { hostname, protocol } = new URL(settings[name].replaceAll('{tenant}', 'panel'));
      if (hostname === 'localhost')
        findings.push(
          failure('settings', `${name} is ${settings[name]}, which other machines cannot open`, `Set ${name}`),
        );
      else if (name === 'PUBLIC_URL' && protocol === 'http:')
        warn('PUBLIC_URL is not https: routers fetch scripts from it and run them', 'Put a TLS proxy before it');
    }
    if (settings.PUBLIC_URL.startsWith('https:') && settings.TRUST_PROXY.length === 0)
      warn('TRUST_PROXY is not set: limits count the proxy as one caller', 'Set it to the address of the TLS proxy');
    if (!settings.SMTP_URL) warn('SMTP_URL is not set: mails stay in DATA_DIR/outbox', 'Set SMTP_URL and MAIL_FROM');
  }
  return findings.length > 0 ? findings : [ok('settings', 'valid')];
}

export const settingsRefused = (error: SettingsError): Finding =>
  failure('settings', error.message, `${settingsCommand} explains every setting`);

/** The folder itself, or its nearest parent that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(path.dirname(folder)));

export async function checkFolder({ DATA_DIR }: Settings): Promise<Finding[]> {
  const at = existing(DATA_DIR);
  const findings: Finding[] = [];
  const { uid, gid } = statSync(at);
  const owner = `chown -R to the user of the product (it belongs to ${uid}:${gid})`;
  for (const folder of [at, ...['uploads', 'logs', 'tls', 'outbox'].map(name => path.join(at, name))])
    if (existsSync(folder))
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).catch(error => {
        findings.push(failure('folder', `${folder} cannot be written: ${messageOf(error)}`, owner));
      });
  for (const name of ['secret.key', 'secret.key.previous']) {
    const file = path.join(at, name);
    if (existsSync(file) && (statSync(file).mode & 0o077) !== 0)
      findings.push(failure('folder', `${file} can be read by other users`, `chmod 600 ${file}`));
  }
  if (findings.length > 0) return findings;
  return [ok('folder', at === DATA_DIR ? DATA_DIR : `${DATA_DIR} will be created`)];
}

export async function checkDisk({ DATA_DIR }: Settings): Promise<Finding[]> {
  const { bavail, bsize, files, ffree } = await statfs(existing(DATA_DIR));
  const free = bavail * bsize;
  const message = `${(free / 1e9).toFixed(1)} GB are free in ${DATA_DIR}`;
  const remedy = 'Free or add disk, set LOG_STORE_URL, or lower LOG_RETENTION_DAYS';
  if (files > 0 && ffree < 1000) return [failure('disk', `only ${ffree} more files fit into ${DATA_DIR}`, remedy)];
  if (free < reserveBytes) return [failure('disk', `${message}: log lines are dropped`, remedy)];
  if (free < lowBytes) return [warning('disk', message, remedy)];
  return [ok('disk', message)];
}
