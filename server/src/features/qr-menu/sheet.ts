import type { DeskCode, SheetQuery } from '@portico/contract/qr-menu.ts';

/** A4 in millimetres. */
export const a4 = { width: 210, height: 297 } as const;

/** Millimetres: the code with its quiet zone, and the margin of the page. */
const sizes: Record<SheetQuery['size'], number> = { small: 35, medium: 55, large: 90 };
const margin = 10;
const gap = 5;
/** Below the code: the name of the desk, and what the code is for. */
const words = 12;

/** The position of a code on its page, in millimetres. */
export interface Cell {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly words: number;
  readonly name: string;
  readonly url: string;
}

/** The pages of a sheet, with as many codes as fit, in rows that are centred. */
export function sheetPages(codes: readonly DeskCode[], size: SheetQuery['size']): Cell[][] {
  const side = sizes[size];
  const columns = Math.floor((a4.width - 2 * margin + gap) / (side + gap));
  const rows = Math.floor((a4.height - 2 * margin + gap) / (side + words + gap));
  const left = (a4.width - columns * (side + gap) + gap) / 2;
  const pages: Cell[][] = [];
  codes.forEach(({ name, url }, i) => {
    const at = i % (columns * rows);
    if (at === 0) pages.push([]);
    pages.at(-1)!.push({
      x: left + (at % columns) * (side + gap),
      y: margin + Math.floor(at / columns) * (side + words + gap),
      size: side,
      words,
      name,
      url,
    });
  });
  return pages;
}
