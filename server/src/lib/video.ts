/** Boxes of an MP4 whose boxes are read too (ISO 14496-12), by the one that holds them. */
const containerIn: Readonly<Record<string, string>> = { file: 'moov', moov: 'trak' };
/** Boxes with metadata that cameras and programs write, such as the place of the recording. */
const metadata = new Set(['udta', 'meta', 'uuid']);

interface Box {
  readonly type: string;
  /** The offsets of the box, of its content and of the box behind it. */
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

/** The boxes from `start` to `end`; undefined if they do not fill this part exactly. */
function boxesOf(file: Buffer, start: number, end: number): Box[] | undefined {
  const boxes: Box[] = [];
  for (let at = start; at < end; ) {
    if (end - at < 8) return undefined;
    const size = file.readUInt32BE(at);
    // 1 stands for a size of eight bytes behind the type, 0 for all that is left.
    const isLarge = size === 1;
    if (isLarge && end - at < 16) return undefined;
    const length = isLarge ? Number(file.readBigUInt64BE(at + 8)) : size || end - at;
    const content = at + (isLarge ? 16 : 8);
    if (at + length < content || at + length > end) return undefined;
    boxes.push({ type: file.toString('latin1', at + 4, at + 8), start: at, content, end: at + length });
    at += length;
  }
  return boxes;
}

/** Turns metadata into free space, so that nothing else moves. Returns the types of the boxes; undefined if they are not well formed. */
function blank(file: Buffer, start: number, end: number, within = 'file'): string[] | undefined {
  const boxes = boxesOf(file, start, end);
  for (const box of boxes ?? []) {
    if (metadata.has(box.type)) {
      file.write('free', box.start + 4, 'latin1');
      file.fill(0, box.content, box.end);
    } else if (containerIn[within] === box.type && !blank(file, box.content, box.end, box.type)) return undefined;
  }
  return boxes?.map(({ type }) => type);
}

/**
 * A video without the metadata of its MP4 file, and its kind; undefined for other files. Nothing is decoded: whether it plays is up to the
 * browser. A WebM is known by its EBML header and its document type (RFC 8794, section 11), and is not changed.
 */
export function readVideoFile(file: Buffer): { readonly kind: 'mp4' | 'webm'; readonly bytes: Buffer } | undefined {
  if (file.subarray(0, 4).toString('hex') === '1a45dfa3')
    return file.subarray(4, 64).includes('webm') ? { kind: 'webm', bytes: file } : undefined;
  const bytes = Buffer.from(file);
  const types = blank(bytes, 0, bytes.length);
  return types?.[0] === 'ftyp' && types.includes('moov') && types.includes('mdat') ? { kind: 'mp4', bytes } : undefined;
}
