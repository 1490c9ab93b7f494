import type { FastifyRequest } from 'fastify';
import { AppError, invalid } from './app-error.ts';
import type { Upload } from './call.ts';

/** The name that the API's description gives the file. */
const fileField = 'file';

const MiB = 1024 ** 2;
/** The size as the screens write it: 5 MB for both 5,000,000 and 5 × 1,048,576 bytes. */
const sizeOf = (bytes: number) =>
  bytes < 1_000_000 ? `${bytes / 1000} KB` : `${bytes % MiB === 0 ? bytes / MiB : bytes / 1_000_000} MB`;

/** A 413 that names the limit of the file. */
export const tooLarge = (maxBytes: number): AppError =>
  new AppError('too_large', { fields: { [fileField]: ['file_size', { limit: sizeOf(maxBytes) }] } });

const maxFieldBytes = 4096;
const maxFields = 20;

/** The refusal for a form that could not be read. Only the caller can have caused it: the parser does nothing else. */
function unreadable(error: unknown, maxBytes: number): unknown {
  if (error instanceof AppError) return error;
  const { code, statusCode } = error as { readonly code?: string; readonly statusCode?: number };
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(maxBytes);
  if (code === 'FST_FILES_LIMIT') return invalid({ [fileField]: ['list_max', { limit: 1 }] });
  if (code === 'FST_FIELDS_LIMIT') return invalid({ body: ['form_fields', { limit: maxFields }] });
  // The parser's own errors, such as a missing boundary or a last part without an end, have no status.
  return statusCode === undefined ? new AppError('bad_request') : error;
}

/** Reads a multipart form: its text fields and its one file, at most `maxBytes` long. */
export async function readUpload(
  request: FastifyRequest,
  maxBytes: number,
): Promise<{ fields: Record<string, string>; upload: Upload }> {
  if (!request.isMultipart()) throw new AppError('unsupported_media');
  const fields: Record<string, string> = {};
  let upload: Upload | undefined;
  try {
    const limits = { fileSize: maxBytes, files: 1, fields: maxFields, fieldSize: maxFieldBytes };
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file' && part.fieldname !== fileField)
        throw invalid({ [part.fieldname ?? fileField]: ['file_field', { name: fileField }] });
      if (part.type === 'file')
        upload = { bytes: await part.toBuffer(), filename: part.filename, mimetype: part.mimetype };
      else if (part.valueTruncated) throw invalid({ [part.fieldname]: ['string_max', { limit: maxFieldBytes }] });
      else fields[part.fieldname] = String(part.value);
    }
  } catch (error) {
    throw unreadable(error, maxBytes);
  }
  if (!upload) throw invalid({ [fileField]: 'required' });
  return { fields, upload };
}
