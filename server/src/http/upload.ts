import type { FastifyRequest } from 'fastify';
import { AppError, invalid } from './app-error.ts';
import type { Upload } from './call.ts';

/** The name that the API's description gives the file. */
const fileField = 'file';

const isTooLarge = (error: unknown) => (error as { readonly code?: string }).code === 'FST_REQ_FILE_TOO_LARGE';

const MiB = 1024 ** 2;
/** As the screens write it: 5 MB for both 5,000,000 and 5 × 1,048,576 bytes. */
const sizeOf = (bytes: number) =>
  bytes < 1_000_000 ? `${bytes / 1000} KB` : `${bytes % MiB === 0 ? bytes / MiB : bytes / 1_000_000} MB`;

/** A 413 that names the limit of the file. */
export const tooLarge = (maxBytes: number): AppError =>
  new AppError('too_large', { fields: { [fileField]: ['file_size', { limit: sizeOf(maxBytes) }] } });

/** Reads a multipart form: its text fields and its one file, at most `maxBytes` long. */
export async function readUpload(
  request: FastifyRequest,
  maxBytes: number,
): Promise<{ fields: Record<string, string>; upload: Upload }> {
  if (!request.isMultipart()) throw new AppError('unsupported_media');
  const fields: Record<string, string> = {};
  let upload: Upload | undefined;
  try {
    for await (const part of request.parts({ limits: { fileSize: maxBytes, files: 1, fields: 20, fieldSize: 4096 } })) {
      if (part.type === 'file' && part.fieldname !== fileField)
        throw invalid({ [part.fieldname]: ['file_field', { name: fileField }] });
      if (part.type === 'file')
        upload = { bytes: await part.toBuffer(), filename: part.filename, mimetype: part.mimetype };
      else fields[part.fieldname] = String(part.value);
    }
  } catch (error) {
    throw isTooLarge(error) ? tooLarge(maxBytes) : error;
  }
  if (!upload) throw invalid({ [fileField]: 'required' });
  return { fields, upload };
}
