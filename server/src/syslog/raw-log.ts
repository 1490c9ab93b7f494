import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { listSegments, segmentFile } from './segments.ts';

/** The append-only file of one device's raw lines. Its owner calls `write` and `sync`, never two of the same at once. */
export interface RawLog {
  readonly folder: string;
  /** Learns from the folder where the last run ended; until then positions are 0. */
  readonly find: () => Promise<void>;
  /** Takes a record into memory. */
  readonly add: (record: string) => void;
  readonly pending: () => number;
  /** The records that are not written yet; they are another's from now on. */
  readonly takeBack: () => string[];
  /** Hands what waits to the operating system: a crash of ours loses it no more. Rejects when the disk refuses; nothing is lost then. */
  readonly write: () => Promise<void>;
  /** Brings what was written onto the disk: a power cut loses it no more. */
  readonly sync: () => Promise<void>;
  /** The position up to which lines are safe on the disk. */
  readonly synced: () => number;
  readonly written: () => number;
  readonly idleSince: () => number;
  /** Closes the file until the next write. */
  readonly rest: () => Promise<void>;
}

export interface RawLogOptions {
  /** A segment is followed by the next when it is this big or this old. */
  readonly segmentBytes: number;
  readonly segmentMs: number;
}

/** The raw log in a folder, which is made at the first write. Positions go on where they ended, and never before `least`. */
export function createRawLog(folder: string, least: number, options: RawLogOptions): RawLog {
  let handle: FileHandle | undefined;
  let segmentStart = 0;
  let segmentOpened = 0;
  let pending: string[] = [];
  let pendingBytes = 0;
  let lastWrite = Date.now();
  let written = 0;
  let synced = 0;
  let found: Promise<void> | undefined;

  /** Finds out once where the last run ended. What it had not synced is synced by now, or was lost with the power. */
  const find = (): Promise<void> =>
    (found ??= listSegments(folder).then(
      segments => {
        written = Math.max(segments.at(-1)?.end ?? 0, least);
        synced = written;
      },
      error => {
        found = undefined;
        throw error;
      },
    ));

  async function startSegment(): Promise<FileHandle> {
    await mkdir(folder, { recursive: true, mode: 0o750 });
    segmentStart = written;
    segmentOpened = Date.now();
    // Always a new file after a start, so the end of the last one stays as a crash left it.
    const next = await open(segmentFile(folder, written), 'a', 0o640);
    const directory = await open(folder, 'r');
    await directory.sync().finally(() => directory.close());
    return next;
  }

  async function rest(): Promise<void> {
    const open = handle;
    handle = undefined;
    if (!open) return;
    const upTo = written;
    await open.datasync();
    synced = Math.max(synced, upTo);
    await open.close();
  }

  /** An error may come after a part was written. */
  async function appendAll(file: FileHandle, bytes: Buffer): Promise<void> {
    let done = 0;
    try {
      while (done < bytes.length) done += (await file.write(bytes, done)).bytesWritten;
    } finally {
      written += done;
      if (done < bytes.length) {
        const rest = bytes.subarray(done).toString('latin1');
        pending.unshift(rest);
        pendingBytes += rest.length;
      }
    }
  }

  return {
    folder,
    find,
    add(record) {
      pending.push(record);
      pendingBytes += record.length;
    },
    pending: () => pendingBytes,
    takeBack() {
      const records = pending;
      pending = [];
      pendingBytes = 0;
      return records;
    },
    async write() {
      if (pendingBytes === 0) return;
      await find();
      if (handle && (written - segmentStart >= options.segmentBytes || Date.now() - segmentOpened >= options.segmentMs))
        await rest();
      handle ??= await startSegment();
      const bytes = Buffer.from(pending.join(''), 'latin1');
      pending = [];
      pendingBytes = 0;
      lastWrite = Date.now();
      await appendAll(handle, bytes);
    },
    async sync() {
      if (!handle || synced === written) return;
      const upTo = written;
      await handle.datasync();
      synced = Math.max(synced, upTo);
    },
    synced: () => synced,
    written: () => written,
    idleSince: () => lastWrite,
    rest,
  };
}
