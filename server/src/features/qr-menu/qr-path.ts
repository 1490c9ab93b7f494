import QRCode from 'qrcode';

/**
 * The dark modules of a QR code as one SVG path in a square of `size` modules, without the quiet zone (ISO/IEC 18004
 * asks for 4). Level M keeps a scratched or folded card readable.
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
