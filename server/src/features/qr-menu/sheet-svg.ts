import { escapeHtml } from '#lib/html.ts';
import { qrPath } from './qr-path.ts';
import { a4, type Cell } from './sheet.ts';

/** One page of a sheet as an SVG of A4 size, for operators who design their own cards. */
export const sheetSvg = (cells: readonly Cell[], hint: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${a4.width}mm" height="${a4.height}mm" viewBox="0 0 ${a4.width} ${a4.height}"><rect width="100%" height="100%" fill="#fff"/>${cells.map(it => cellSvg(it, hint)).join('')}</svg>`;

function cellSvg({ x, y, size, name, url }: Cell, hint: string): string {
  const { size: modules, path } = qrPath(url);
  const scale = size / (modules + 8);
  const middle = x + size / 2;
  const line = (text: string, at: number, height: number, more: string) =>
    `<text x="${middle}" y="${at}" font-size="${height}" text-anchor="middle" font-family="sans-serif" ${more}>${escapeHtml(text)}</text>`;
  return [
    `<rect x="${x}" y="${y}" width="${size}" height="${size + 12}" rx="2" fill="none" stroke="#c8ccd4" stroke-width=".2"/>`,
    `<path transform="translate(${x + 4 * scale} ${y + 4 * scale}) scale(${scale})" d="${path}" fill="#000" shape-rendering="crispEdges"/>`,
    line(name, y + size + 4.5, 5, 'font-weight="700"'),
    line(hint, y + size + 9.5, 3, 'fill="#555"'),
  ].join('');
}
