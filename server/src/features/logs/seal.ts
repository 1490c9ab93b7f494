import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { syncFolder } from '#lib/sync-folder.ts';
import type { LogType } from '#routers/log-line.ts';
import { fileName, type Range, recordsOf, typeOf } from './archive.ts';
import { appendLink, type Link, type SealedEntry, type Sign } from './chain.ts';

const compress = promisify(gzip);
/** Bytes of text per gzip member. A file has several members (RFC 1952 section 2.2); every gunzip reads them as one text. */
const memberBytes = 1 << 20;
const sliceMs = 6;

export interface DayRange extends Range {
  readonly day: string;
  readonly part: number;
}

export interface SealedDayFile {
  readonly type: string;
  readonly lines: number;
  readonly bytes: number;
  readonly path: string;
  readonly fileBytes: number;
  readonly link: Link;
}

interface Draft {
  readonly file: Awaited<ReturnType<typeof open>>;
  readonly at: string;
  readonly hash: ReturnType<typeof createHash>;
  waiting: string[];
  waitingBytes: number;
  lines: number;
  bytes: number;
  fileBytes: number;
}

async function flush(draft: Draft): Promise<void> {
  if (draft.waitingBytes === 0) return;
  const compressed = await compress(Buffer.from(draft.waiting.join(''), 'latin1'), { level: 6 });
  draft.waiting = [];
  draft.waitingBytes = 0;
  draft.hash.update(compressed);
  draft.fileBytes += compressed.length;
  await draft.file.write(compressed);
}

/**
 * Writes one compressed file per type for a day of a raw stream and adds the files to the chain. After a crash, another call
 * continues. `folder` is the device's folder, `device` is `<tenant>/<device>`.
 */
export async function sealDay(
  folder: string,
  range: DayRange,
  context: { device: string; sign: Sign; links: Link[]; brand: string | undefined },
): Promise<SealedDayFile[]> {
  const files = path.join(folder, 'files');
  await mkdir(files, { recursive: true, mode: 0o750 });
  const drafts = new Map<LogType, Draft>();
  try {
    await split(path.join(folder, 'raw'), range, context.brand, async type => {
      const at = path.join(files, `.${fileName({ ...range, type })}.draft`);
      const draft: Draft = {
        file: await open(at, 'w', 0o640),
        at,
        hash: createHash('sha256'),
        waiting: [],
        waitingBytes: 0,
        lines: 0,
        bytes: 0,
        fileBytes: 0,
      };
      drafts.set(type, draft);
      return draft;
    });
    const sealed: SealedDayFile[] = [];
    for (const [type, draft] of [...drafts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await flush(draft);
      sealed.push(await finish(folder, range, type, draft, context));
    }
    return sealed;
  } finally {
    for (const draft of drafts.values()) {
      await draft.file.close().catch(() => undefined);
      await rm(draft.at, { force: true });
    }
  }
}

async function split(
  raw: string,
  range: Range,
  brand: string | undefined,
  begin: (type: LogType) => Promise<Draft>,
): Promise<void> {
  const drafts = new Map<LogType, Draft>();
  let slice = performance.now();
  for await (const records of recordsOf(raw, range))
    for (const record of records) {
      const type = typeOf(record.slice(0, -1), brand);
      const draft = drafts.get(type) ?? (await begin(type));
      drafts.set(type, draft);
      draft.waiting.push(record);
      draft.waitingBytes += record.length;
      draft.lines += 1;
      draft.bytes += record.length;
      if (draft.waitingBytes >= memberBytes) await flush(draft);
      if (performance.now() - slice < sliceMs) continue;
      await setImmediate();
      slice = performance.now();
    }
}

async function finish(
  folder: string,
  range: DayRange,
  type: LogType,
  draft: Draft,
  context: { device: string; sign: Sign; links: Link[] },
): Promise<SealedDayFile> {
  const { lines, bytes, fileBytes } = draft;
  const { day, part } = range;
  const file = `files/${fileName({ day, part, type })}`;
  const sha256 = draft.hash.digest('hex');
  await draft.file.sync();
  const done = { type, lines, bytes, path: file, fileBytes };
  // A file that is in the chain already is kept. It was sealed before a crash, and the database does not have it yet.
  const known = context.links.find((link): link is Link & SealedEntry => link.kind === 'file' && link.file === file);
  if (known)
    return { ...done, lines: known.lines, fileBytes: await sizeOf(path.join(folder, file), fileBytes), link: known };
  await rename(draft.at, path.join(folder, file));
  await syncFolder(path.join(folder, 'files'));
  const entry: SealedEntry = { kind: 'file', file, day, part, type, lines, sha256 };
  return { ...done, link: await appendLink(folder, entry, context) };
}

/** The size of a file. A file that was moved to the store has the size of the one made again. */
const sizeOf = (file: string, fallback: number): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => fallback,
  );
