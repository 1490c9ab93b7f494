import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { steadyNow } from '#lib/steady-clock.ts';
import { syncFolder } from '#lib/sync-folder.ts';
import { listSegments, segmentFile } from './segments.ts';

/** The append-only log of one device's raw lines. Two calls of `write`, or two of `sync`, must not overlap. */
export interface RawLog {
  readonly folder: string;
  /** Reads from the folder where the last run ended. Before that, all positions are 0. */
  readonly find: () => Promise<void>;
  /** Adds a record in memory. */
  readonly add: (record: string) => void;
  readonly pending: () => number;
  /** Removes and returns the records that are not written yet. */
  readonly takePending: () => string[];
  /** Writes the pending records, so that they survive a crash of this process. Rejects if the disk fails; nothing is lost. */
  readonly write: () => Promise<void>;
  /** Syncs the written records, so that they survive a power failure. */
  readonly sync: () => Promise<void>;
  /** The position up to which lines are synced. */
  readonly synced: () => number;
  readonly written: () => number;
  readonly idleSince: () => number;
  /** Syncs and closes the file. The next write opens another one. */
  readonly closeFile: () => Promise<void>;
}

export interface RawLogOptions {
  /** The next segment begins when the current one has this size or age. */
  readonly segmentBytes: number;
  readonly segmentMs: number;
}

/** The raw log in a folder, which is created by the first write. Positions continue where they ended, at `minPosition` or later. */
export function createRawLog(folder: string, minPosition: number, options: RawLogOptions): RawLog {
  let handle: FileHandle | undefined;
  let segmentStart = 0;
  let segmentOpened = 0;
  let pending: string[] = [];
  let pendingBytes = 0;
  let lastWrite = steadyNow();
  let written = 0;
  let synced = 0;
  let found: Promise<void> | undefined;

  /** Reads once where the last run ended. Bytes that it did not sync are on the disk by now, or a power failure lost them. */
  const find = (): Promise<void> =>
    (found ??= listSegments(folder).then(
      segments => {
        written = Math.max(segments.at(-1)?.end ?? 0, minPosition);
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
    segmentOpened = steadyNow();
    // A start always opens a new file, so a truncated line at the end of the last one stays as it is.
    const next = await open(segmentFile(folder, written), 'a', 0o640);
    await syncFolder(folder);
    return next;
  }

  async function closeFile(): Promise<void> {
    const open = handle;
    handle = undefined;
    if (!open) return;
    const upTo = written;
    await open.datasync();
    synced = Math.max(synced, upTo);
    await open.close();
  }

  /** If the disk fails, a part may be written already; the rest is pending again. */
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
    takePending() {
      const records = pending;
      pending = [];
      pendingBytes = 0;
      return records;
    },
    async write() {
      if (pendingBytes === 0) return;
      await find();
      if (
        handle &&
        (written - segmentStart >= options.segmentBytes || steadyNow() - segmentOpened >= options.segmentMs)
      )
        await closeFile();
      handle ??= await startSegment();
      const bytes = Buffer.from(pending.join(''), 'latin1');
      pending = [];
      pendingBytes = 0;
      lastWrite = steadyNow();
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
    closeFile,
  };
}
