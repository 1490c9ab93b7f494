import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { App } from '#lib/app.ts';
import type { S3 } from '#lib/s3.ts';
import { listDevices } from '#syslog/raw-store.ts';
import { deviceFolder } from './archive.ts';
import { readChain, type Sign } from './chain.ts';
import { heads } from './seal.queries.ts';
import { type Finding, type Head, sha256, verifyDevice } from './verify.ts';

export interface VerifyOptions {
  readonly dataDir: string;
  /** Checks the signatures; without the key only hashes are checked. */
  readonly sign?: Sign | undefined;
  /** What the database says of each chain, by `<tenant>/<device>`; without it a chain that lost its end looks whole. */
  readonly heads?: ReadonlyMap<string, Head> | undefined;
  /** Where sealed files are that are not on the disk. */
  readonly store?: S3 | undefined;
  readonly print: (line: string) => void;
}

const words: Record<Finding['problem'], string> = {
  chain_broken: 'the chain is broken here',
  chain_unreadable: 'the chain cannot be read',
  chain_shorter: 'the chain ends here, and the database knows of more',
  head_differs: 'the chain is another one than the database knows',
  signature_wrong: 'this link was not made with our key',
  file_missing: 'the file is missing',
  file_changed: 'the file was changed',
  file_added: 'the file is not in the chain',
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What the database knows of every chain, for `portico logs verify`. */
export async function registeredHeads(app: App): Promise<Map<string, Head>> {
  const rows = await app.db.withSystem(heads);
  return new Map(
    rows.map(row => [`${row.tenant_id}/${row.device_id}`, { length: row.chain_length, chain: row.chain_head }]),
  );
}

/**
 * `portico logs verify`: checks every sealed log file against its chain, prints each finding with the first bad one on top, and
 * answers the exit code: 0 all is well, 1 something is not.
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
    findings.push(
      ...(await verifyDevice(dataDir, devices.get(key) as { tenantId: string; deviceId: string }, {
        sign,
        head,
        store,
      })),
    );
  }
  for (const { device, where, problem } of findings) print(`${device} ${where}: ${words[problem]}`);
  print(
    findings.length === 0
      ? `${counted(devices.size, 'device')}: all files are as they were sealed`
      : `${counted(findings.length, 'problem')} found`,
  );
  return findings.length === 0 ? 0 : 1;
}

/**
 * `portico logs verify --file`: tells whether a file that somebody has, downloaded perhaps, is one that was sealed, and checks the
 * whole record of its device. Answers the exit code: 0 all is well, 1 something is not.
 */
export async function verifyFile(file: string, options: VerifyOptions): Promise<number> {
  const { dataDir, print, heads: known } = options;
  const hash = await sha256(createReadStream(file));
  for (const ids of await listDevices(path.join(dataDir, 'logs'))) {
    const device = `${ids.tenantId}/${ids.deviceId}`;
    const links = await readChain(deviceFolder(dataDir, ids.tenantId, ids.deviceId)).catch(() => []);
    const link = links.find(it => it.kind === 'file' && it.sha256 === hash);
    if (!link) continue;
    print(`${file}: ${device} ${link.file}, as it was sealed at ${link.at} (link ${link.number} of ${links.length})`);
    const findings = await verifyDevice(dataDir, ids, { ...options, head: known?.get(device) });
    for (const { where, problem } of findings) print(`${device} ${where}: ${words[problem]}`);
    return findings.length === 0 ? 0 : 1;
  }
  print(`${file}: no sealed file of this record; it was changed, or its day was still open`);
  return 1;
}
