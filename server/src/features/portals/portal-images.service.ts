import { type Image, type ImageCollection, imageBytes } from '@portico/contract/portals.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, invalid } from '#http/app-error.ts';
import type { Context, Upload } from '#http/call.ts';
import { tooLarge } from '#http/upload.ts';
import { newId } from '#lib/ids.ts';
import { busy, type Picture, redraw } from '#lib/pictures/redraw.ts';
import { pictureUrls } from './picture-urls.ts';
import { savePictures } from './pictures.service.ts';

/** The largest sizes on the guest's page, in pixels and doubled for high-density screens. */
const largest: Record<ImageCollection, { width: number; height: number; maxBytes?: number; plain?: true }> = {
  // It is part of the first view, which is to take 14 KB with the page itself, and a card is 27rem wide.
  logo: { width: 864, height: 432, maxBytes: 5_400, plain: true },
  background: { width: 2560, height: 2560, maxBytes: 400_000 },
  // A card is 27rem wide here as well, and guests of slow networks load the picture before they are online.
  advertisement: { width: 864, height: 1296, maxBytes: 32_000 },
  content: { width: 1080, height: 1620, maxBytes: 60_000 },
  // A browser may load it together with the first view.
  icon: { width: 256, height: 256, maxBytes: 8_000, plain: true },
};

/** The copy of a background for phones, which the pages find by its name. With it, a page loads within 3 s on slow 3G. */
const onPhones = { width: 1080, height: 1080, maxBytes: 24_000 };

/** Draws an upload again for the tenant `owner`. Throws why it is refused, or that the server is busy. */
export async function draw(owner: string, file: Buffer, size: (typeof largest)[ImageCollection]): Promise<Picture> {
  const picture = await redraw(file, { owner, ...size });
  if (picture === busy) throw new AppError('pictures_busy');
  if ('refused' in picture) throw invalid({ file: picture.refused });
  return picture;
}

/** Re-encodes an upload and stores it with the tenant's files. Without a location, only the tenant's limit applies. */
export async function saveImage(
  context: Context,
  collection: ImageCollection,
  file: Upload,
  locationId: string | null = null,
): Promise<Image> {
  const { app, tenant } = context;
  const maxBytes = collection === 'content' ? imageBytes.content : imageBytes.most;
  if (file.bytes.length > maxBytes) {
    if (collection !== 'content') throw tooLarge(maxBytes);
    throw invalid({ file: ['file_size', { limit: '500 KB' }] });
  }
  const picture = await draw(tenant.id, file.bytes, largest[collection]);
  const id = newId();
  const name = collection === 'background' ? `photo-${id}` : `${collection}-${id}`;
  const small =
    collection === 'background' ? { [`photosmall-${id}`]: await draw(tenant.id, picture.bytes, onPhones) } : {};
  await savePictures(context, locationId, { [name]: picture, ...small });
  return {
    url: pictureUrls(app, tenant).toUrl(`/uploads/${tenant.id}/${name}.webp`),
    collection,
    width: picture.width,
    height: picture.height,
    bytes: picture.bytes.length,
  };
}

/** The location whose limit applies to a picture without a portal. */
export const workplace = ({ activeLocationId, scope }: Actor) =>
  activeLocationId ?? (scope.kind === 'locations' ? (scope.ids[0] ?? null) : null);

/** Stores a picture for a portal, which may not be saved yet. */
export async function uploadImage(
  call: Context & { readonly actor: Actor },
  collection: ImageCollection,
  file: Upload,
  portal?: { readonly name: string; readonly location_id: string | null },
): Promise<Image> {
  const locationId = portal ? portal.location_id : workplace(call.actor);
  const image = await saveImage(call, collection, file, locationId);
  const { width, height, bytes } = image;
  await call.inTenant(tx =>
    audit(tx, call.actor, {
      verb: 'create',
      subject: { type: 'picture', name: portal?.name ?? collection },
      locationId,
      after: { collection, width, height, bytes },
    }),
  );
  return image;
}
