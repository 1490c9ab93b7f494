import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import path from 'node:path';

/*
 * The hash chain of a device: one line of JSON for each change of its record, with the hash of the line before it. It is stored
 * next to the files (chain.jsonl), so that it can be checked without the database. Its head is in the database, so that removed
 * lines are detected. Every link is signed with SECRET_KEY, so that write access to the disk is not enough to forge one.
 */
export interface SealedEntry {
  readonly kind: 'file';
  readonly file: string;
  readonly day: string;
  readonly part: number;
  readonly type: string;
  readonly lines: number;
  readonly sha256: string;
}
export interface StampEntry {
  readonly kind: 'stamp';
  readonly file: string;
  /** The link that the authority stamped. */
  readonly of: string;
  readonly sha256: string;
}
export interface ErasedEntry {
  readonly kind: 'erased';
  readonly file: string;
}
export type Entry = SealedEntry | StampEntry | ErasedEntry;

export type Link = Entry & {
  readonly number: number;
  readonly at: string;
  readonly previous: string;
  readonly chain: string;
  readonly signature: string;
};

export type Sign = (text: string) => string;

export const chainFile = (folder: string): string => path.join(folder, 'chain.jsonl');

/** The hash of a link: SHA-256 of its JSON without `chain` and `signature`. The JSON contains the hash of the link before it. */
export function hashOf(link: Omit<Link, 'chain' | 'signature'>): string {
  return createHash('sha256').update(JSON.stringify(link)).digest('hex');
}

/** The text that is signed for a link. It names the device, so that its chain cannot be used for another device. */
export const signedText = (device: string, chain: string): string => `log chain ${device} ${chain}`;

/** The links of a chain; none if there is no chain yet. Omits a last line without its newline, which a crash truncated. */
export async function readChain(folder: string): Promise<Link[]> {
  const text = await readFile(chainFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n');
  lines.pop();
  return lines.map(line => JSON.parse(line) as Link);
}

/** More than the longest line of a chain. */
const longestLine = 8192;

/** Throws unless the chain in the file ends with the last known link: another process may have added one since it was read. */
async function requireEnd(file: FileHandle, last: Link | undefined): Promise<void> {
  const { size } = await file.stat();
  const bytes = Buffer.alloc(Math.min(size, longestLine));
  await file.read(bytes, 0, bytes.length, size - bytes.length);
  const line = bytes.toString().trimEnd().split('\n').at(-1) ?? '';
  if (last ? !line.includes(`"chain":"${last.chain}"`) : line !== '')
    throw new Error('Another process has changed the chain of the log files');
}

/** Appends a link and syncs it. `device` is `<tenant>/<device>`. */
export async function appendLink(
  folder: string,
  entry: Entry,
  context: { device: string; sign: Sign; links: Link[] },
): Promise<Link> {
  const { device, sign, links } = context;
  const last = links.at(-1);
  const unsigned = {
    ...entry,
    number: (last?.number ?? 0) + 1,
    at: new Date().toISOString(),
    previous: last?.chain ?? '',
  };
  const chain = hashOf(unsigned as Omit<Link, 'chain' | 'signature'>);
  const link = { ...unsigned, chain, signature: sign(signedText(device, chain)) } as Link;
  const file = await open(chainFile(folder), 'a+', 0o640);
  try {
    const { size } = await file.stat();
    const end = Buffer.alloc(1);
    if (size > 0) await file.read(end, 0, 1, size - 1);
    // A crash may have left a truncated line; it is removed before the new one is appended.
    if (size > 0 && end[0] !== 10) await file.truncate((await readFile(chainFile(folder))).lastIndexOf(10) + 1);
    await requireEnd(file, last);
    await file.write(`${JSON.stringify(link)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  links.push(link);
  return link;
}
