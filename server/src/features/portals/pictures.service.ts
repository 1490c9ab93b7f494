import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import type { Picture } from '#lib/pictures/redraw.ts';
import * as queries from './pictures.queries.ts';

const MB = 1_000_000;
/** Each location raises its tenant's limit by this size. */
const bytesPerLocation = 5 * MB;

export const pictureFolder = (app: App, tenantId: string) => path.join(app.settings.DATA_DIR, 'uploads', tenantId);

/** Checks the limits of the tenant and of one location. The second keeps one location from using all space. */
async function requireRoom({ app, inTenant }: Room, locationId: string | null, added: readonly queries.StoredFile[]) {
  const maxBytes = app.settings.PICTURES_MB * MB;
  const bytes = added.reduce((sum, it) => sum + it.bytes, 0);
  await inTenant(async tx => {
    await queries.lockPictures(tx);
    const { total, here, locations } = await queries.countPictures(tx, locationId);
    const ofTenant = maxBytes + locations * bytesPerLocation;
    if (total + bytes > ofTenant) throw invalid({ file: ['pictures_full', { limit: `${ofTenant / MB} MB` }] });
    if (here + bytes > maxBytes / 10)
      throw invalid({ file: ['pictures_full_here', { limit: `${maxBytes / 10 / MB} MB` }] });
    await queries.insertPictures(tx, locationId, added);
  });
}
type Room = Pick<Context, 'app' | 'tenant' | 'inTenant'>;

/** The pictures in a form that were deleted as unused, for example while the editor stayed open for days. */
export async function findDeletedPictures(
  { app, tenant, inTenant }: Room,
  form: unknown,
): Promise<ReadonlySet<string>> {
  const matches = JSON.stringify(form ?? null).matchAll(new RegExp(`/uploads/${tenant.id}/([a-z0-9-]+\\.webp)`, 'g'));
  const files = [...new Set([...matches].map(([, file]) => file!))];
  if (files.length === 0) return new Set();
  const deleted = new Set<string>();
  for (const { file } of await inTenant(tx => queries.findUncounted(tx, files))) {
    // Files that are older than the table `pictures` have no row.
    const exists = await access(path.join(pictureFolder(app, tenant.id), file)).then(
      () => true,
      () => false,
    );
    if (!exists) deleted.add(file);
  }
  return deleted;
}

/** Saves re-encoded pictures as `/uploads/{tenant}/{name}.webp`; 422 when the limit is exceeded. */
export async function savePictures(
  room: Room,
  locationId: string | null,
  pictures: Record<string, Picture>,
): Promise<void> {
  const files = Object.entries(pictures).map(([name, { bytes }]) => ({ name, bytes }));
  await requireRoom(
    room,
    locationId,
    files.map(it => ({ file: `${it.name}.webp`, bytes: it.bytes.length })),
  );
  const folder = pictureFolder(room.app, room.tenant.id);
  await mkdir(folder, { recursive: true });
  for (const { name, bytes } of files) {
    // The rename makes the picture visible only when it is complete.
    await writeFile(path.join(folder, `.${name}.part`), bytes);
    await rename(path.join(folder, `.${name}.part`), path.join(folder, `${name}.webp`));
  }
}
