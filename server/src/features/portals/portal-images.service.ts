import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Image, type ImageCollection, imageBytes } from '@portico/contract/portals.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context, Tenant, Upload } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { type Picture, redraw } from '#lib/images.ts';
import { pictureUrls } from './picture-urls.ts';

/** Pixels: what the guest's page shows at most, twice over for dense screens. */
const largest: Record<ImageCollection, { width: number; height: number }> = {
  logo: { width: 1200, height: 600 },
  background: { width: 2560, height: 2560 },
  advertisement: { width: 1600, height: 1600 },
  content: { width: 1600, height: 2400 },
};

/** Writes drawn pictures among the tenant's files, as `/uploads/{tenant}/{name}.webp`. */
export async function keepPictures(app: App, tenant: Tenant, pictures: Record<string, Picture>): Promise<void> {
  const folder = path.join(app.settings.DATA_DIR, 'uploads', tenant.id);
  await mkdir(folder, { recursive: true });
  for (const [name, { bytes }] of Object.entries(pictures)) {
    // Under its name only when whole: a guest may ask for it at once.
    await writeFile(path.join(folder, `.${name}.part`), bytes);
    await rename(path.join(folder, `.${name}.part`), path.join(folder, `${name}.webp`));
  }
}

/** Draws an upload anew, keeps it among the tenant's files and answers its address. */
export async function keepImage({ app, tenant }: Context, collection: ImageCollection, file: Upload): Promise<Image> {
  const most = collection === 'content' ? imageBytes.content : imageBytes.most;
  if (file.bytes.length > most) {
    if (collection !== 'content') throw new AppError('too_large');
    throw invalid({ file: ['file_size', { limit: '500 KB' }] });
  }
  const picture = await redraw(file.bytes, largest[collection]);
  if (!picture) throw invalid({ file: 'file_type' });
  const name = `${collection}-${newId()}`;
  await keepPictures(app, tenant, { [name]: picture });
  return {
    url: pictureUrls(app, tenant).toUrl(`/uploads/${tenant.id}/${name}.webp`),
    collection,
    width: picture.width,
    height: picture.height,
    bytes: picture.bytes.length,
  };
}

/** Keeps a picture of a portal, or of one that is yet to be made. */
export async function uploadImage(
  call: Context & { readonly actor: Actor },
  collection: ImageCollection,
  file: Upload,
  portal?: { readonly name: string; readonly location_id: string | null },
): Promise<Image> {
  const image = await keepImage(call, collection, file);
  const { width, height, bytes } = image;
  await call.inTenant(tx =>
    audit(tx, call.actor, {
      verb: 'create',
      subject: { type: 'picture', name: portal ? `${portal.name}: ${collection}` : collection },
      locationId: portal ? portal.location_id : call.actor.activeLocationId,
      after: { collection, width, height, bytes },
    }),
  );
  return image;
}
