/** The first and the last byte, from 0. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The one range of a Range header (RFC 9110, section 14.1.2) in `length` bytes. Undefined means the whole: without a header, and for
 * one with several ranges or in another form, which a server may ignore.
 */
export function readRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  // Without a first byte it asks for the last ones.
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  return from < length && from <= to ? { from, to } : 'unsatisfiable';
}
