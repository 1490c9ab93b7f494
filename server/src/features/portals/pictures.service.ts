import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import type { Picture } from '#lib/pictures/redraw.ts';
import * as queries from './pictures.queries.ts';

const MB = 1_000_000;
/** Each location raises its tenant's limit by this size. */
const bytesPerLocation = 5 * MB;

/** Where older versions kept pictures. */
export const pictureFolder = (app: App, tenantId: string) => path.join(app.settings.DATA_DIR, 'uploads', tenantId);

/** Checks the limits of the tenant and of one location. The second keeps one location from using all space. */
async function addPictures({ app, inTenant }: Room, locationId: string | null, added: readonly queries.StoredFile[]) {
  const maxBytes = app.settings.PICTURES_MB * MB;
  const bytes = added.reduce((sum, it) => sum + it.content.length, 0);
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
  const matches = JSON.stringify(form ?? null).matchAll(
    new RegExp(`/uploads/${tenant.id}/([a-z0-9-]+\\.(?:webp|mp4|webm))`, 'g'),
  );
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

/** Saves a video under this name; 422 when the limit is exceeded. */
export const saveVideo = (room: Room, locationId: string | null, file: queries.StoredFile): Promise<void> =>
  addPictures(room, locationId, [file]);

/** Saves re-encoded pictures as `/uploads/{tenant}/{name}.webp`; 422 when the limit is exceeded. */
export const savePictures = (room: Room, locationId: string | null, pictures: Record<string, Picture>): Promise<void> =>
  addPictures(
    room,
    locationId,
    Object.entries(pictures).map(([name, { bytes }]) => ({ file: `${name}.webp`, content: bytes })),
  );

/**
 * Files that were served last. A portal's first view does not wait for the database, and simultaneous guests share one copy
 * of a video.
 */
const served = new LRUCache<string, Buffer>({
  maxSize: 48 * MB,
  sizeCalculation: content => content.length + 1,
  // An erased picture is gone from every process after this time.
  ttl: 10 * 60_000,
  ttlAutopurge: true,
});

/** A picture or a video by its path; undefined if it does not exist. */
export async function readPicture(app: App, tenantId: string, file: string): Promise<Buffer | undefined> {
  const at = `${tenantId}/${file}`;
  const known = served.get(at);
  if (known) return known;
  const stored = await app.db.readTenant(tenantId, tx => queries.findPicture(tx, file));
  // A process of an older version may have just written it, and the job has not stored it yet.
  const content =
    stored?.content ?? (await readFile(path.join(pictureFolder(app, tenantId), file)).catch(() => undefined));
  if (content) served.set(at, content);
  return content;
}
