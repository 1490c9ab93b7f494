import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { invalid } from '#http/app-error.ts';
import type { Context, Upload } from '#http/call.ts';
import { newId } from '#lib/ids.ts';
import { readVideoFile } from '#lib/video.ts';
import { pictureUrls } from './picture-urls.ts';
import { saveVideo } from './pictures.service.ts';
import { workplace } from './portal-images.service.ts';

/** Stores a video for advertisements, without its metadata; it is not encoded again. The portal may not be saved yet. */
export async function uploadVideo(
  call: Context & { readonly actor: Actor },
  file: Upload,
  portal?: { readonly name: string; readonly location_id: string | null },
): Promise<{ url: string; bytes: number }> {
  const bytes = file.bytes.length;
  const video = readVideoFile(file.bytes);
  if (!video) throw invalid({ file: 'video_type' });
  const name = `video-${newId()}.${video.kind}`;
  const locationId = portal ? portal.location_id : workplace(call.actor);
  await saveVideo(call, locationId, { file: name, content: video.bytes });
  await call.inTenant(tx =>
    audit(tx, call.actor, {
      verb: 'create',
      subject: { type: 'video', name: portal?.name ?? name },
      locationId,
      after: { bytes },
    }),
  );
  return { url: pictureUrls(call.app, call.tenant).toUrl(`/uploads/${call.tenant.id}/${name}`), bytes };
}
