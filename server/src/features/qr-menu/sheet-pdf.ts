import { createRequire } from 'node:module';
import Pdf from 'pdfkit';
import { qrPath } from './qr-path.ts';
import type { Cell } from './sheet.ts';

// This font has Turkish letters; the standard fonts of PDF readers do not.
const require = createRequire(import.meta.url);
const fonts = {
  plain: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  bold: require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
};
const perMillimetre = 72 / 25.4;

/** The whole sheet as a PDF of A4 pages, streamed. It consists of vectors, so it is sharp at any size. */
export function sheetPdf(pages: readonly (readonly Cell[])[], it: { title: string; hint: string }): PDFKit.PDFDocument {
  const pdf = new Pdf({ size: 'A4', margin: 0, autoFirstPage: false, info: { Title: it.title } });
  pdf.registerFont('plain', fonts.plain).registerFont('bold', fonts.bold);
  for (const cells of pages) {
    pdf.addPage();
    for (const cell of cells) drawCell(pdf, cell, it.hint);
  }
  pdf.end();
  return pdf;
}

function drawCell(pdf: PDFKit.PDFDocument, cell: Cell, hint: string): void {
  const { size: modules, path } = qrPath(cell.url);
  const [x, y, size, words] = [cell.x, cell.y, cell.size, cell.words].map(mm => mm * perMillimetre) as [
    number,
    number,
    number,
    number,
  ];
  const scale = size / (modules + 8);
  pdf
    .save()
    .roundedRect(x, y, size, size + words, 5)
    .lineWidth(0.5)
    .stroke('#c8ccd4')
    .translate(x + 4 * scale, y + 4 * scale)
    .scale(scale)
    .path(path)
    .fill('#000')
    .restore();
  const line = (text: string, top: number, height: number, face: string, colour: string) =>
    pdf
      .font(face)
      .fontSize(height)
      .fillColor(colour)
      .text(text, x + 4, top, {
        width: size - 8,
        align: 'center',
        lineBreak: false,
        ellipsis: true,
        height: height * 1.3,
      });
  line(cell.name, y + size, 12, 'bold', '#000');
  line(hint, y + size + 18, 7, 'plain', '#555');
}
