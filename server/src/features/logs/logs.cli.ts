import { createReadStream } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#lib/app.ts';
import type { S3 } from '#lib/s3.ts';
import { listDevices } from '#syslog/raw-store.ts';
import { deviceFolder } from './archive.ts';
import { readChain, type Sign } from './chain.ts';
import { heads } from './seal.queries.ts';
import { type Finding, type Head, sha256, verifyDevice } from './verify.ts';

export interface VerifyOptions {
  readonly dataDir: string;
  /** Signs, to check the signatures. Without it only hashes are checked. */
  readonly sign?: Sign | undefined;
  /** The heads in the database, by `<tenant>/<device>`. Without them, a truncated chain is not detected. */
  readonly heads?: ReadonlyMap<string, Head> | undefined;
  /** The store of sealed files that are not on the disk. */
  readonly store?: S3 | undefined;
  readonly print: (line: string) => void;
}

const messages: Record<Finding['problem'], string> = {
  chain_broken: 'the chain is broken here',
  chain_unreadable: 'the chain cannot be read',
  chain_shorter: 'the chain ends here, but the database has more links',
  head_differs: 'the chain differs from the one in the database',
  signature_wrong: 'this link was not signed with the key of this installation',
  file_missing: 'the file is missing',
  file_changed: 'the file was changed',
  file_added: 'the file is not in the chain',
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** The head of every chain in the database, for `portico logs verify`. */
export async function registeredHeads(app: App): Promise<Map<string, Head>> {
  const rows = await app.db.withSystem(heads);
  return new Map(
    rows.map(row => [`${row.tenant_id}/${row.device_id}`, { length: row.chain_length, chain: row.chain_head }]),
  );
}

const settleMs = 1000;

/** Checks a device again if files and chain differ: a running product names a file, or erases it, a moment apart from its link. */
async function verifySettled(...of: Parameters<typeof verifyDevice>): Promise<Finding[]> {
  const findings = await verifyDevice(...of);
  if (!findings.some(it => it.problem === 'file_added' || it.problem === 'file_missing')) return findings;
  await sleep(settleMs);
  return verifyDevice(...of);
}

/**
 * `portico logs verify`: checks every sealed log file against its chain and prints the findings in the order of the chain.
 * Returns the exit code: 0 without findings, otherwise 1.
 */
export async function verifyLogs({ dataDir, sign, heads: known, store, print }: VerifyOptions): Promise<number> {
  const found = await listDevices(path.join(dataDir, 'logs'));
  const devices = new Map(found.map(ids => [`${ids.tenantId}/${ids.deviceId}`, ids]));
  for (const key of known?.keys() ?? []) {
    const [tenantId = '', deviceId = ''] = key.split('/');
    devices.set(key, { tenantId, deviceId });
  }
  const findings: Finding[] = [];
  for (const key of [...devices.keys()].sort()) {
    const head = known ? (known.get(key) ?? { length: 0, chain: '' }) : undefined;
    findings.push(...(await verifySettled(dataDir, devices.get(key)!, { sign, head, store })));
  }
  for (const { device, where, problem } of findings) print(`${device} ${where}: ${messages[problem]}`);
  print(
    findings.length === 0
      ? `${counted(devices.size, 'device')}: all files are unchanged`
      : `${counted(findings.length, 'problem')} found`,
  );
  return findings.length === 0 ? 0 : 1;
}

/**
 * `portico logs verify --file`: tells whether a file, such as a download, is a sealed one, and checks the whole record of its
 * device. Returns the exit code: 0 without findings, otherwise 1.
 */
export async function verifyFile(file: string, options: VerifyOptions): Promise<number> {
  const { dataDir, print, heads: known } = options;
  const hash = await sha256(createReadStream(file));
  for (const ids of await listDevices(path.join(dataDir, 'logs'))) {
    const device = `${ids.tenantId}/${ids.deviceId}`;
    const links = await readChain(deviceFolder(dataDir, ids.tenantId, ids.deviceId)).catch(() => []);
    const link = links.find(it => it.kind === 'file' && it.sha256 === hash);
    if (!link) continue;
    print(
      `${file}: ${device} ${link.file}, unchanged since it was sealed at ${link.at} (link ${link.number} of ${links.length})`,
    );
    const findings = await verifySettled(dataDir, ids, { ...options, head: known?.get(device) });
    for (const { where, problem } of findings) print(`${device} ${where}: ${messages[problem]}`);
    return findings.length === 0 ? 0 : 1;
  }
  print(`${file}: not a sealed file of this installation; it was changed, or downloaded before its day was sealed`);
  return 1;
}
