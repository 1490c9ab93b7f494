import sharp from 'sharp';

/** A picture of one colour, as a PNG file. */
export const picture = (width = 60, height = 15): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: '#2f71f2' } })
    .png()
    .toBuffer();

/** A form with a file and further fields. */
export function fileForm(
  file: Uint8Array | string,
  { name = 'x.png', ...fields }: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob([file as BlobPart]), name);
  return form;
}
