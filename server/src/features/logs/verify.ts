import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { recordProblems } from '@portico/contract/logs.ts';
import type { S3 } from '#lib/s3.ts';
import { deviceFolder } from './archive.ts';
import { hashOf, type Link, readChain, type Sign, signedText } from './chain.ts';
import { openSealed, storeKey } from './store.ts';

export interface Finding {
  /** `<tenant>/<device>`. */
  readonly device: string;
  /** Path of a file, or the number of a link. */
  readonly where: string;
  readonly problem: (typeof recordProblems)[number];
}

/** The head of a chain in the database. */
export interface Head {
  readonly length: number;
  readonly chain: string;
}

/** The SHA-256 of a stream, as hex. */
export async function sha256(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(bytes, hash);
  return hash.digest('hex');
}

/** Checks each link of a chain: its hash, its reference to the link before, its number and its signature. */
function checkLinks(device: string, links: readonly Link[], sign: Sign | undefined): Finding[] {
  const findings: Finding[] = [];
  let previous = '';
  for (const [i, link] of links.entries()) {
    const { chain, signature, ...unsigned } = link;
    const where = `link ${i + 1}`;
    if (
      unsigned.previous !== previous ||
      unsigned.number !== i + 1 ||
      hashOf(unsigned as Omit<Link, 'chain' | 'signature'>) !== chain
    )
      findings.push({ device, where, problem: 'chain_broken' });
    else if (sign && sign(signedText(device, chain)) !== signature)
      findings.push({ device, where, problem: 'signature_wrong' });
    previous = chain;
  }
  return findings;
}

async function checkFiles(
  device: string,
  folder: string,
  links: readonly Link[],
  readsContent: (link: Link) => boolean,
  store: S3 | undefined,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const erased = new Set(links.filter(link => link.kind === 'erased').map(link => link.file));
  const listed = new Set<string>();
  const stored = new Set(store ? await store.list(storeKey(device, 'files/')) : []);
  for (const link of links) {
    if (link.kind === 'erased' || erased.has(link.file)) continue;
    listed.add(link.file);
    const where = link.file;
    if (!readsContent(link)) {
      const isThere = existsSync(path.join(folder, where)) || stored.has(storeKey(device, where));
      if (!isThere) findings.push({ device, where, problem: 'file_missing' });
      continue;
    }
    const bytes = await openSealed(folder, where, { store, device });
    if (!bytes) findings.push({ device, where, problem: 'file_missing' });
    else if ((await sha256(bytes)) !== link.sha256) findings.push({ device, where, problem: 'file_changed' });
  }
  for (const key of stored) {
    const where = key.slice(device.length + 1);
    if (!listed.has(where)) findings.push({ device, where, problem: 'file_added' });
  }
  for (const place of ['files', 'stamps'])
    for (const name of await readdir(path.join(folder, place)).catch(() => [])) {
      const where = `${place}/${name}`;
      if (!name.endsWith('.draft') && !listed.has(where)) findings.push({ device, where, problem: 'file_added' });
    }
  return findings;
}

/** Checks the chain and all files of one device. */
export async function verifyDevice(
  dataDir: string,
  ids: { tenantId: string; deviceId: string },
  known: {
    sign?: Sign | undefined;
    head?: Head | undefined;
    /** The store of files that are not on the disk. */
    store?: S3 | undefined;
    /** Selects the links whose file is read; default: all. The existence of every file is checked. */
    readsContent?: ((link: Link) => boolean) | undefined;
  },
): Promise<Finding[]> {
  const device = `${ids.tenantId}/${ids.deviceId}`;
  const folder = deviceFolder(dataDir, ids.tenantId, ids.deviceId);
  let links: Link[];
  try {
    links = await readChain(folder);
  } catch {
    return [{ device, where: 'chain.jsonl', problem: 'chain_unreadable' }];
  }
  const findings = [
    ...checkLinks(device, links, known.sign),
    ...(await checkFiles(device, folder, links, known.readsContent ?? (() => true), known.store)),
  ];
  const { head } = known;
  // After a crash, the database may be one link behind the chain, but never ahead.
  if (head && links.length < head.length)
    findings.push({ device, where: `link ${links.length + 1}`, problem: 'chain_shorter' });
  else if (head && head.length > 0 && links[head.length - 1]?.chain !== head.chain)
    findings.push({ device, where: `link ${head.length}`, problem: 'head_differs' });
  return findings;
}
