/** A box of an MP4 file (ISO 14496-12): its size, its type and its content. */
export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.reduce((sum, it) => sum + it.length, 8));
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...content]);
}

/** A well-formed MP4 file without pictures. */
export const mp4 = ({ moov = [], more = [] }: { moov?: readonly Buffer[]; more?: readonly Buffer[] }): Buffer =>
  Buffer.concat([box('ftyp', Buffer.from('isom')), box('moov', ...moov), ...more, box('mdat', Buffer.alloc(100, 7))]);
