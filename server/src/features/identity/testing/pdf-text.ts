import { inflateSync } from 'node:zlib';

/** The text of a PDF, decoded with its tables of glyphs and characters. */
export const textOf = (pdf: Buffer): string => pagesOf(pdf).flat().join('\n');

/** The lines of each page, in the order in which they are drawn. */
export function pagesOf(pdf: Buffer): string[][] {
  const raw = pdf.toString('latin1');
  const streams = [...raw.matchAll(/stream\n/g)].flatMap(({ index }) => {
    try {
      const from = index + 7;
      return [inflateSync(pdf.subarray(from, raw.indexOf('endstream', from))).toString('latin1')];
    } catch {
      return [];
    }
  });
  const maps = streams
    .filter(text => text.includes('beginbfrange'))
    .map(text => {
      const list = /\[([^\]]*)\]/.exec(text)?.[1] ?? '';
      return [...list.matchAll(/<([0-9a-f ]+)>/g)].map(([, code = '']) =>
        String.fromCharCode(...code.split(' ').map(hex => Number.parseInt(hex, 16))),
      );
    });
  // The font of a text is not tracked, so every text is decoded with the table of every font.
  const decoded = (text: string, map: readonly string[]) =>
    [...text.matchAll(/\[([^\]]*)\] TJ/g)].map(([, line = '']) =>
      [...line.matchAll(/<([0-9a-f]+)>/g)]
        .map(([, hex = '']) => (hex.match(/.{4}/g) ?? []).map(code => map[Number.parseInt(code, 16)] ?? '').join(''))
        .join(''),
    );
  return streams.filter(text => text.includes(' Tf')).map(text => maps.flatMap(map => decoded(text, map)));
}
