import { pdfkitAddPlaceholder } from '@signpdf/placeholder-pdfkit';
import { SignPdf } from '@signpdf/signpdf';
import { Signer } from '@signpdf/utils';
import Pdf from 'pdfkit';
import type { CertifiedKey } from './certificates.ts';
import { signDetached } from './signature.ts';

/** Space for the signature in the file: four times what one needs. */
const signatureLength = 4096;

export interface PdfInfo {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** Why it is signed, as readers show it. */
  readonly reason: string;
}

class KeySigner extends Signer {
  readonly #key: CertifiedKey;
  constructor(key: CertifiedKey) {
    super();
    this.#key = key;
  }
  override sign(content: Buffer, at?: Date): Promise<Buffer> {
    return signDetached(this.#key, content, at);
  }
}

/** A PDF that `draw` fills, signed over every byte (PDF 32000-1, section 12.8): each later change shows. */
export async function signedPdf(
  key: CertifiedKey,
  info: PdfInfo,
  draw: (doc: PDFKit.PDFDocument) => void,
): Promise<Buffer> {
  const signingTime = new Date();
  const doc = new Pdf({
    size: 'A4',
    margins: { top: 56, bottom: 56, left: 56, right: 56 },
    bufferPages: true,
    lang: info.language,
    displayTitle: true,
    info: { Title: info.title, Author: info.author, CreationDate: signingTime },
  });
  const parts: Buffer[] = [];
  doc.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject));
  draw(doc);
  const { author: name, reason } = info;
  const nowhere = { contactInfo: '', location: '' };
  // The types ask for `pdfBuffer`; the function does not read it.
  pdfkitAddPlaceholder({
    pdf: doc,
    pdfBuffer: Buffer.alloc(0),
    reason,
    name,
    ...nowhere,
    signingTime,
    signatureLength,
  });
  doc.end();
  await done;
  return new SignPdf().sign(Buffer.concat(parts), new KeySigner(key), signingTime);
}
