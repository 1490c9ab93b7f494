import type { Desk, DeskCode } from '@portico/contract/qr-menu.ts';
import QRCode from 'qrcode';

type Range = Pick<Desk, 'prefix' | 'number_start' | 'number_end' | 'menu_url'>;

/** Every desk of a row: its name as printed, and where its code leads. */
export const deskCodes = (
  { prefix, number_start, number_end, menu_url }: Range,
  scans: readonly { number: number; scans: number; last_scanned_at: string }[],
): DeskCode[] => {
  const seen = new Map(scans.map(it => [it.number, it]));
  return Array.from({ length: number_end - number_start + 1 }, (_, i) => {
    const number = number_start + i;
    return {
      number,
      name: `${prefix}${number}`,
      url: `${menu_url}/${number}`,
      scans: seen.get(number)?.scans ?? 0,
      last_scanned_at: seen.get(number)?.last_scanned_at ?? null,
    };
  });
};

/**
 * The dark modules of a QR code as one SVG path in a square of `size` modules, without the quiet zone (ISO/IEC 18004 asks
 * for 4). Level M: a scratched or folded card is still read.
 */
export function qrPath(text: string): { size: number; path: string } {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const { size } = modules;
  let path = '';
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!modules.get(y, x)) continue;
      let end = x + 1;
      while (end < size && modules.get(y, end)) end++;
      path += `M${x} ${y}h${end - x}v1H${x}z`;
      x = end;
    }
  }
  return { size, path };
}
