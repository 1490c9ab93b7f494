import Pdf from 'pdfkit';
import { type SigningKey, signDetached } from './signer.ts';

/** Bytes that a signature may take; twice what one with a certificate of ours does. */
const signatureBytes = 4096;
const anyNumber = 9_999_999_999;
const rangePlace = `/ByteRange [0 ${anyNumber} ${anyNumber} ${anyNumber}]`;

export interface PdfInfo {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** Why it is signed, as readers show it. */
  readonly reason: string;
}

/** What of pdfkit's document its types leave out. */
interface Internals {
  readonly page: { readonly annotations: unknown[]; readonly dictionary: unknown };
  readonly _root: { readonly data: { AcroForm: { data: Record<string, unknown> & { Fields: unknown[] } } } };
  initForm(): void;
  ref(data: Record<string, unknown>): { end(): void };
}

/** A PDF that `draw` fills, signed over every byte (PDF 32000-1, section 12.8): a change of any of them shows. */
export async function signedPdf(
  key: SigningKey,
  info: PdfInfo,
  draw: (doc: PDFKit.PDFDocument) => void,
): Promise<Buffer> {
  const at = new Date();
  const doc = new Pdf({
    size: 'A4',
    margins: { top: 56, bottom: 56, left: 56, right: 56 },
    bufferPages: true,
    lang: info.language,
    displayTitle: true,
    info: { Title: info.title, Author: info.author, CreationDate: at },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject));
  draw(doc);
  addField(doc as unknown as Internals, info, at);
  doc.end();
  await done;
  return fill(Buffer.concat(parts), key, at);
}

/** The signature's field, with room for what can only be known once all else is written. */
function addField(doc: Internals, info: PdfInfo, at: Date): void {
  const words = (value: string) => new String(value);
  const signature = doc.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'adbe.pkcs7.detached',
    ByteRange: [0, anyNumber, anyNumber, anyNumber],
    Contents: Buffer.alloc(signatureBytes),
    M: at,
    Name: words(info.author),
    Reason: words(info.reason),
  });
  const widget = doc.ref({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    Rect: [0, 0, 0, 0],
    T: words('Signature'),
    // Printed and locked.
    F: 132,
    V: signature,
    P: doc.page.dictionary,
  });
  doc.page.annotations.push(widget);
  doc.initForm();
  // oxlint-disable-next-line no-underscore-dangle -- pdfkit's own name; it offers no other way to the form
  const form = doc._root.data.AcroForm.data;
  // Signatures exist, and later changes may only be appended.
  form['SigFlags'] = 3;
  // A reader that drew the fields anew would change what was signed.
  delete form['NeedAppearances'];
  form.Fields.push(widget);
  signature.end();
  widget.end();
}

function fill(pdf: Buffer, key: SigningKey, at: Date): Buffer {
  const rangeAt = pdf.indexOf(rangePlace);
  const start = pdf.indexOf(`<${'0'.repeat(signatureBytes * 2)}>`);
  if (rangeAt < 0 || start < 0) throw new Error('The PDF has no place for its signature');
  const end = start + signatureBytes * 2 + 2;
  const range = `/ByteRange [0 ${start} ${end} ${pdf.length - end}]`;
  pdf.write(range.padEnd(rangePlace.length, ' '), rangeAt, 'latin1');
  const signature = signDetached(key, Buffer.concat([pdf.subarray(0, start), pdf.subarray(end)]), at);
  if (signature.length > signatureBytes) throw new Error('The signature is larger than its place');
  pdf.write(signature.toString('hex'), start + 1, 'latin1');
  return pdf;
}
