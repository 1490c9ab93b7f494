import { constants, crc32, deflateRawSync } from 'node:zlib';

/** A page drawn once for many: what differs between them is filled in, and what does not is compressed once. */
export interface PressedPage<Name extends string> {
  readonly html: (fills: Readonly<Record<Name, string>>) => string;
  /** The same as one gzip member (RFC 1952). */
  readonly gzip: (fills: Readonly<Record<Name, string>>) => Buffer;
}

interface Part<Name> {
  readonly text: string;
  readonly bytes: Buffer;
  /** As deflate blocks that end on a byte and look back at nothing before them; absent where that would not pay. */
  readonly deflated?: Buffer;
  readonly fill?: Name;
}

const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const lastBlock = Buffer.from([1, 0, 0, 0xff, 0xff]);
const maxStored = 65_535;
/** A shorter text is no smaller as blocks of its own. */
const leastDeflated = 100;

/** Takes a page apart at its marks: words that stand in it where something is to be filled in, as HTML. */
export function press<Name extends string>(html: string, marks: Readonly<Record<Name, string>>): PressedPage<Name> {
  const names = new Map(Object.entries<string>(marks).map(([name, mark]) => [mark, name as Name]));
  const parts: Part<Name>[] = html.split(new RegExp(`(${[...names.keys()].join('|')})`)).map(text => {
    const fill = names.get(text);
    if (fill) return { text: '', bytes: Buffer.alloc(0), fill };
    const bytes = Buffer.from(text);
    if (bytes.length < leastDeflated) return { text, bytes };
    return { text, bytes, deflated: deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH }) };
  });
  return {
    html: fills => parts.map(it => (it.fill ? fills[it.fill] : it.text)).join(''),
    gzip: fills => {
      const out: Buffer[] = [head];
      let stored: Buffer[] = [];
      let check = 0;
      let size = 0;
      const flush = () => {
        if (stored.length > 0) out.push(...storedBlocks(Buffer.concat(stored)));
        stored = [];
      };
      for (const it of parts) {
        const bytes = it.fill ? Buffer.from(fills[it.fill]) : it.bytes;
        check = crc32(bytes, check);
        size += bytes.length;
        if (it.deflated) {
          flush();
          out.push(it.deflated);
        } else stored.push(bytes);
      }
      flush();
      const foot = Buffer.alloc(8);
      foot.writeUInt32LE(check, 0);
      foot.writeUInt32LE(size, 4);
      out.push(lastBlock, foot);
      return Buffer.concat(out);
    },
  };
}

/** Bytes as deflate blocks without compression (RFC 1951, 3.2.4). */
function storedBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += maxStored) {
    const piece = bytes.subarray(at, at + maxStored);
    const header = Buffer.alloc(5);
    header.writeUInt16LE(piece.length, 1);
    header.writeUInt16LE(~piece.length & 0xffff, 3);
    blocks.push(header, piece);
  }
  return blocks;
}

/** Whether a client takes gzip. */
export const takesGzip = (accepted: string | readonly string[] | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(accepted ?? ''));
