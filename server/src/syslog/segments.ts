import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * The raw lines of a device are one stream of bytes. It is stored in segments: files named by the position of their first
 * byte. A position is never used again, so a stored read position stays valid after restarts, clock jumps and deletions.
 */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly file: string;
}

const name = /^(\d{16})\.log$/;

export const segmentFile = (folder: string, start: number): string =>
  path.join(folder, `${String(start).padStart(16, '0')}.log`);

/** The segments in a folder, in order; none if the folder does not exist. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const segments: Segment[] = [];
  for (const file of files.filter(file => name.test(file)).sort()) {
    const start = Number(file.slice(0, 16));
    const full = path.join(folder, file);
    const size = await stat(full).then(
      ({ size }) => size,
      () => undefined,
    );
    if (size !== undefined) segments.push({ start, end: start + size, file: full });
  }
  return segments;
}

export interface Chunk {
  /** Complete lines only. */
  readonly bytes: Buffer;
  /** The position of the first byte. Later than requested if older segments were deleted. */
  readonly start: number;
  readonly end: number;
}

/**
 * Reads complete lines from `position` up to `until`, at most `maxBytes`; undefined if there are none. A line that a crash
 * left without its newline ends with its segment.
 */
export async function readChunk(
  segments: readonly Segment[],
  position: number,
  until: number,
  maxBytes = 262_144,
): Promise<Chunk | undefined> {
  for (const segment of segments) {
    const start = Math.max(position, segment.start);
    const end = Math.min(segment.end, until);
    if (start >= end) continue;
    const bytes = await readPart(segment.file, start - segment.start, Math.min(end - start, maxBytes));
    const last = bytes.lastIndexOf(10);
    if (last >= 0) return { bytes: bytes.subarray(0, last + 1), start, end: start + last + 1 };
    // No line is longer than `maxBytes`, because lines are truncated before they are stored.
    if (start + bytes.length >= segment.end && segment !== segments.at(-1)) return { bytes, start, end: segment.end };
    return undefined;
  }
  return undefined;
}

async function readPart(file: string, at: number, length: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(length);
    let read = 0;
    while (read < length) {
      const { bytesRead } = await handle.read(buffer, read, length - read, at + read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return buffer.subarray(0, read);
  } finally {
    await handle.close();
  }
}
