import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import type { Picture } from '#lib/pictures/redraw.ts';
import * as queries from './pictures.queries.ts';

const MB = 1_000_000;
/** Each location adds so much to what its tenant's pictures may take. */
const perLocation = 5 * MB;

export const pictureFolder = (app: App, tenantId: string) => path.join(app.settings.DATA_DIR, 'uploads', tenantId);

/** A tenant's pictures have an end, and those of one location a nearer one: nobody takes the others' room. */
async function requireRoom({ app, inTenant }: Room, locationId: string | null, added: readonly queries.Kept[]) {
  const maxBytes = app.settings.PICTURES_MB * MB;
  const bytes = added.reduce((sum, it) => sum + it.bytes, 0);
  await inTenant(async tx => {
    await queries.lockPictures(tx);
    const { total, here, locations } = await queries.countPictures(tx, locationId);
    const ofTenant = maxBytes + locations * perLocation;
    if (total + bytes > ofTenant) throw invalid({ file: ['pictures_full', { limit: `${ofTenant / MB} MB` }] });
    if (here + bytes > maxBytes / 10)
      throw invalid({ file: ['pictures_full_here', { limit: `${maxBytes / 10 / MB} MB` }] });
    await queries.insertPictures(tx, locationId, added);
  });
}
type Room = Pick<Context, 'app' | 'tenant' | 'inTenant'>;

/** Those of the tenant's pictures that a form names and that were erased, as when it was left open for longer than they are kept unused. */
export async function gonePictures({ app, tenant, inTenant }: Room, form: unknown): Promise<ReadonlySet<string>> {
  const named = JSON.stringify(form ?? null).matchAll(new RegExp(`/uploads/${tenant.id}/([a-z0-9-]+\\.webp)`, 'g'));
  const files = [...new Set([...named].map(([, file]) => file!))];
  if (files.length === 0) return new Set();
  const gone = new Set<string>();
  for (const { file } of await inTenant(tx => queries.findUncounted(tx, files))) {
    // One from before they were counted is not gone.
    const isThere = await access(path.join(pictureFolder(app, tenant.id), file)).then(
      () => true,
      () => false,
    );
    if (!isThere) gone.add(file);
  }
  return gone;
}

/** Writes drawn pictures among the tenant's files, as `/uploads/{tenant}/{name}.webp`; 422 where there is no room left. */
export async function keepPictures(
  room: Room,
  locationId: string | null,
  pictures: Record<string, Picture>,
): Promise<void> {
  const drawn = Object.entries(pictures).map(([name, { bytes }]) => ({ name, bytes }));
  await requireRoom(
    room,
    locationId,
    drawn.map(it => ({ file: `${it.name}.webp`, bytes: it.bytes.length })),
  );
  const folder = pictureFolder(room.app, room.tenant.id);
  await mkdir(folder, { recursive: true });
  for (const { name, bytes } of drawn) {
    // Under its name only when whole: a guest may ask for it at once.
    await writeFile(path.join(folder, `.${name}.part`), bytes);
    await rename(path.join(folder, `.${name}.part`), path.join(folder, `${name}.webp`));
  }
}
