import type { MenuProduct } from '@portico/contract/menu-view.ts';
import { draw, savePictures } from '#features/portals/public.ts';
import type { Context, Upload } from '#http/call.ts';
import { newId } from '#lib/ids.ts';

/** A product's picture is stored as `/uploads/{tenant}/menu-{id}.webp`, with a small one beside it for lists. */
export const pictureOf = (path: string | null): MenuProduct['image'] =>
  path === null ? null : { small: path.replace('/menu-', '/menusmall-'), large: path };

/** Re-encodes an upload in both sizes. Returns the path to store. */
export async function keepProductPicture(context: Context, locationId: string, file: Upload): Promise<string> {
  const large = await draw(context.tenant.id, file.bytes, { width: 1200, height: 1200, maxBytes: 120_000 });
  // A menu shows dozens of them at once, to phones on a slow network.
  const small = await draw(context.tenant.id, large.bytes, { width: 320, height: 320, maxBytes: 16_000 });
  const id = newId();
  await savePictures(context, locationId, { [`menu-${id}`]: large, [`menusmall-${id}`]: small });
  return `/uploads/${context.tenant.id}/menu-${id}.webp`;
}
