import type { MenuProduct } from '@portico/contract/menu-view.ts';
import { savePictures } from '#features/portals/public.ts';
import { invalid } from '#http/app-error.ts';
import type { Context, Upload } from '#http/call.ts';
import { newId } from '#lib/ids.ts';
import { redraw } from '#lib/pictures/redraw.ts';

/** A product's picture is stored as `/uploads/{tenant}/menu-{id}.webp`, with a small one beside it for lists. */
export const pictureOf = (path: string | null): MenuProduct['image'] =>
  path === null ? null : { small: path.replace('/menu-', '/menusmall-'), large: path };

/** Re-encodes an upload in both sizes. Returns the path to store. */
export async function keepProductPicture(context: Context, locationId: string, file: Upload): Promise<string> {
  const large = await redraw(file.bytes, { owner: context.tenant.id, width: 1200, height: 1200 });
  if ('refused' in large) throw invalid({ file: large.refused });
  const small = await redraw(large.bytes, { owner: context.tenant.id, width: 320, height: 320 });
  if ('refused' in small) throw invalid({ file: small.refused });
  const id = newId();
  await savePictures(context, locationId, { [`menu-${id}`]: large, [`menusmall-${id}`]: small });
  return `/uploads/${context.tenant.id}/menu-${id}.webp`;
}
