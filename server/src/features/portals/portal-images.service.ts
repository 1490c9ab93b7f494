import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Image, type ImageCollection, imageBytes } from '@portico/contract/portals.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context, Upload } from '#http/call.ts';
import { newId } from '#lib/ids.ts';
import { redraw } from '#lib/images.ts';
import { pictureUrls } from './picture-urls.ts';

/** Pixels: what the guest's page shows at most, twice over for dense screens. */
const largest: Record<ImageCollection, { width: number; height: number }> = {
  logo: { width: 1200, height: 600 },
  background: { width: 2560, height: 2560 },
  advertisement: { width: 1600, height: 1600 },
  content: { width: 1600, height: 2400 },
};

/** Draws an upload anew, keeps it among the tenant's files and answers its address. */
export async function keepImage({ app, tenant }: Context, collection: ImageCollection, file: Upload): Promise<Image> {
  const most = collection === 'content' ? imageBytes.content : imageBytes.most;
  if (file.bytes.length > most) {
    if (collection !== 'content') throw new AppError('too_large');
    throw invalid({ file: ['file_size', { limit: '500 KB' }] });
  }
  const picture = await redraw(file.bytes, largest[collection]);
  if (!picture) throw invalid({ file: 'file_type' });
  const name = `${collection}-${newId()}.webp`;
  const folder = path.join(app.settings.DATA_DIR, 'uploads', tenant.id);
  await mkdir(folder, { recursive: true });
  // Under its name only when whole: a guest may ask for it at once.
  await writeFile(path.join(folder, `.${name}.part`), picture.bytes);
  await rename(path.join(folder, `.${name}.part`), path.join(folder, name));
  return {
    url: pictureUrls(app, tenant).toUrl(`/uploads/${tenant.id}/${name}`),
    collection,
    width: picture.width,
    height: picture.height,
    bytes: picture.bytes.length,
  };
}
