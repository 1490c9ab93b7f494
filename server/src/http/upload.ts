import type { FastifyRequest } from 'fastify';
import { AppError, invalid } from './app-error.ts';
import type { Upload } from './call.ts';

/** The name that the API's description gives the file. */
const fileField = 'file';

/** Reads a multipart form: its text fields and its one file, at most `maxBytes` long. */
export async function readUpload(
  request: FastifyRequest,
  maxBytes: number,
): Promise<{ fields: Record<string, string>; upload: Upload }> {
  if (!request.isMultipart()) throw new AppError('unsupported_media');
  const fields: Record<string, string> = {};
  let upload: Upload | undefined;
  for await (const part of request.parts({ limits: { fileSize: maxBytes, files: 1, fields: 20, fieldSize: 4096 } })) {
    if (part.type === 'file' && part.fieldname !== fileField)
      throw invalid({ [part.fieldname]: ['file_field', { name: fileField }] });
    if (part.type === 'file')
      upload = { bytes: await part.toBuffer(), filename: part.filename, mimetype: part.mimetype };
    else fields[part.fieldname] = String(part.value);
  }
  if (!upload) throw invalid({ [fileField]: 'required' });
  return { fields, upload };
}
