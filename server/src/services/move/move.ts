import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runAlone } from '#db/alone.ts';
import { LoadError } from '#db/load.ts';
import { dumpTenant } from '#db/tenant-dump.ts';
import { freezeTenant, thawTenant } from '#db/tenant-freeze.ts';
import { loadTenant, removeTenant, requireLoader, requireVersionOf } from '#db/tenant-load.ts';
import * as moves from '#features/moves/public.ts';
import { copyAgain } from '#features/sessions/public.ts';
import type { App } from '#lib/app.ts';
import { newId } from '#lib/ids.ts';
import { captiveOrigin, panelOrigin } from '#lib/origins.ts';
import { listFiles } from '../folder-files.ts';
import { readInstallation } from '../installation.queries.ts';
import { keysIn } from '../secret-key.ts';
import { exportFiles, hasFiles, importFiles, removeFiles } from './files.ts';
import { archivedUntil, findConflict, isHere, markArrived } from './move.queries.ts';
import {
  isOfExport,
  manifestFile,
  newPassphrase,
  readPackage,
  type TenantManifest,
  transferSecrets,
  writeManifest,
} from './package.ts';
import { type Counts, encryptAgain } from './values.ts';

/** An installation: its app, and its database without a pooler. */
export interface Installation {
  readonly app: App;
  readonly url: string;
}

type Print = (line: string) => void;

/** After this time every process knows that the tenant is moving: RADIUS is silent, and no log line is accepted. */
const settleMs = 3000;

async function requireMove({ app }: Installation, slug: string): Promise<moves.MoveRow> {
  const move = await app.db.withSystem(tx => moves.findMoveOf(tx, slug));
  if (!move) throw new LoadError(`The tenant ${slug} does not move`);
  return move;
}

/** Stops every change of the tenant. If it is killed, the next run goes on from there. */
async function freeze({ app, url }: Installation, slug: string): Promise<moves.MoveRow> {
  const tenant = await app.db.withSystem(tx => moves.tenantToMove(tx, slug));
  if (!tenant) throw new LoadError(`There is no tenant ${slug}`);
  const before = await app.db.withSystem(tx => moves.findMove(tx, tenant.id));
  if (before?.state === 'arriving')
    throw new LoadError(`The tenant ${slug} is being imported or removed: repeat that until it has ended`);
  if (before?.state === 'moved' || before?.state === 'left')
    throw new LoadError(`The tenant ${slug} moved already: confirm or cancel the move first`);
  if (before?.direction !== 'out' && (await app.db.withSystem(readInstallation)).rotating_to !== null)
    throw new LoadError('SECRET_KEY is being rotated: end the rotation first (portico secret rotate)');
  if (before?.direction !== 'out')
    await app.db.withSystem(tx =>
      moves.beginLeaving(tx, { tenant: tenant.id, moveId: newId(), slug, hosts: tenant.hosts }),
    );
  await sleep(settleMs);
  await freezeTenant(url, tenant.id);
  return (await app.db.withSystem(tx => moves.findMove(tx, tenant.id)))!;
}

/** Throws if sessions in ClickHouse would stay behind, unless `withoutArchive`. */
async function requireWhole({ app }: Installation, withoutArchive: boolean): Promise<void> {
  const until = withoutArchive ? null : await app.db.withSystem(archivedUntil);
  if (until)
    throw new LoadError(
      `Sessions until ${until} are in ClickHouse and do not move: export them as CSV, and repeat with --without-archive`,
    );
}

/** Freezes a tenant and writes it into a folder, of which the manifest is written last. */
export async function exportTenant(
  from: Installation,
  {
    slug,
    folder,
    passphrase,
    withoutArchive = false,
  }: { slug: string; folder: string; passphrase: string; withoutArchive?: boolean },
  print: Print,
): Promise<TenantManifest> {
  await requireWhole(from, withoutArchive);
  const foreign = (await listFiles(folder)).find(file => !isOfExport(file));
  if (foreign) throw new LoadError(`${folder} has other files, such as ${foreign}: name an empty folder`);
  const move = await freeze(from, slug);
  print(`Frozen    ${slug}: nothing changes any more`);
  const { id, hosts, routers } = (await from.app.db.withSystem(tx => moves.tenantToMove(tx, slug)))!;
  const tables = path.join(folder, 'tables');
  await rm(path.join(folder, manifestFile), { force: true });
  await rm(tables, { recursive: true, force: true });
  // Copied files are kept when the same export is repeated.
  const marker = path.join(folder, 'move');
  if ((await readFile(marker, 'utf8').catch(() => undefined)) !== move.move_id)
    await rm(path.join(folder, 'files'), { recursive: true, force: true });
  await mkdir(tables, { recursive: true, mode: 0o700 });
  await writeFile(marker, move.move_id, { mode: 0o600 });
  const salt = randomBytes(16).toString('base64');
  const secrets = await transferSecrets(passphrase, salt);
  const counts: Counts = { changed: 0, unreadable: 0 };
  const database = await dumpTenant(
    from.url,
    id,
    tables,
    encryptAgain({ from: from.app.secrets, to: secrets, makeHashes: false }, counts),
  );
  const wrong = await exportFiles(from.app, id, folder, secrets);
  const manifest = await writeManifest(
    folder,
    {
      ...{ moveId: move.move_id, tenant: { id, slug, hosts, routers }, salt, database },
      keys: secrets.encrypt(JSON.stringify(from.app.secrets.ofTenant(id).keys)),
    },
    secrets,
  );
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  print(`Exported  ${rows} rows, ${manifest.files.length} files, ${counts.changed} secrets`);
  if (counts.unreadable > 0) print(`${counts.unreadable} secrets were unreadable before, and still are`);
  if (wrong > 0) print(`${wrong} links of log files had a wrong signature before, and still have`);
  if (from.app.settings.LOG_DATABASE_URL) print('Counts of log lines in ClickHouse are not in it');
  return manifest;
}

/**
 * One process at a time adds or removes a tenant: the failure of a second one would remove what the first has written. When the
 * connection is lost that keeps others out, `work` must end and leave the rest to a repetition.
 */
async function aloneWith(
  url: string,
  tenant: { id: string; slug: string },
  work: (lost: AbortSignal) => Promise<void>,
): Promise<void> {
  const alone = await runAlone(url, `import of ${tenant.id}`, lost =>
    work(lost).catch((error: unknown) => {
      if (!lost.aborted) throw error;
      throw new LoadError(
        `The connection to the database was lost while the tenant ${tenant.slug} was imported or removed: repeat that`,
        { cause: error },
      );
    }),
  );
  if (!alone)
    throw new LoadError(`Another process imports or removes the tenant ${tenant.slug} now: wait until it has ended`);
}

/** Adds an exported tenant. Everything is checked before anything is written; the rows come in one transaction. */
export async function importTenant(
  to: Installation,
  { folder, passphrase }: { folder: string; passphrase: string },
  print: Print,
): Promise<TenantManifest> {
  const given = await readPackage(folder, passphrase);
  await aloneWith(to.url, given.manifest.tenant, lost => importPackage(to, folder, given, { print, lost }));
  return given.manifest;
}

async function importPackage(
  { app, url }: Installation,
  folder: string,
  { manifest, secrets }: Awaited<ReturnType<typeof readPackage>>,
  { print, lost }: { print: Print; lost: AbortSignal },
): Promise<void> {
  const { tenant, moveId } = manifest;
  const before = await app.db.withSystem(tx => moves.findMove(tx, tenant.id));
  if (before?.state === 'arrived' && before.move_id === moveId) {
    print(`Imported  ${tenant.slug} before`);
    return;
  }
  requireVersionOf(manifest.database);
  await requireLoader(url);
  const conflict = await app.db.withSystem(tx => findConflict(tx, tenant));
  if (conflict) throw new LoadError(`This installation already has ${conflict}`);
  const isRepeated = before?.state === 'arriving' && before.move_id === moveId;
  if (!isRepeated && (await hasFiles(app, tenant.id)))
    throw new LoadError(`This installation already has files of the tenant, below logs/${tenant.id} or uploads`);
  // Before the rows, so that every process has the keys when the tenant is there.
  const ownKeys = secrets.decrypt(manifest.keys);
  if (!keysIn(ownKeys)) throw new LoadError('The keys of the tenant in the package are damaged');
  const keys = app.secrets.encrypt(ownKeys);
  await app.db.withSystem(async tx => {
    await moves.beginArriving(tx, { tenant: tenant.id, moveId, slug: tenant.slug });
    await moves.putTenantKeys(tx, tenant.id, keys);
  });
  // If a removal was killed, its tables are still frozen.
  if (isRepeated) await thawTenant(url, tenant.id);
  const counts: Counts = { changed: 0, unreadable: 0 };
  try {
    await importFiles(app, { tenantId: tenant.id, folder, files: manifest.files, secrets });
    await loadTenant(url, {
      tenantId: tenant.id,
      folder: path.join(folder, 'tables'),
      dump: manifest.database,
      changeOf: encryptAgain({ from: secrets, to: app.secrets, makeHashes: true }, counts),
      after: markArrived(tenant.id),
      lost,
    });
  } catch (error) {
    // Another process may have written here by now. The next run goes on from that.
    lost.throwIfAborted();
    // The rows may be there although the answer was lost.
    if (!(await app.db.withSystem(tx => isHere(tx, tenant.id)))) {
      await removeFiles(app, tenant.id);
      // If it was here before, its routers and guests are still led to its new place, even if an earlier import of it was
      // killed.
      await app.db.withSystem(async tx => {
        await moves.deleteTenantKeys(tx, tenant.id);
        if (before?.state === 'left') await moves.restoreLeft(tx, before);
        else await moves.endRemoving(tx, tenant.id);
      });
    }
    throw error;
  }
  const rows = manifest.database.tables.reduce((sum, table) => sum + table.rows, 0);
  print(`Imported  ${tenant.slug}: ${rows} rows, ${counts.changed} secrets`);
}

/** Removes a tenant that was imported by mistake, or of which an import that was killed left files. */
export async function undoImport({ app, url }: Installation, slug: string, moveId?: string): Promise<void> {
  const move = await app.db.withSystem(tx => moves.findMoveOf(tx, slug));
  if ((move?.state !== 'arriving' && move?.state !== 'arrived') || (moveId !== undefined && move.move_id !== moveId))
    throw new LoadError(`The tenant ${slug} was not imported here`);
  await aloneWith(url, { id: move.tenant, slug }, async lost => {
    // The removal goes table by table. A row added meanwhile would refer to deleted rows, and no backup with it could be restored.
    await app.db.withSystem(tx => moves.beginRemoving(tx, move.tenant));
    await sleep(settleMs);
    lost.throwIfAborted();
    await freezeTenant(url, move.tenant);
    await removeTenant(url, move.tenant, lost);
    lost.throwIfAborted();
    await removeFiles(app, move.tenant);
    await thawTenant(url, move.tenant);
    lost.throwIfAborted();
    await app.db.withSystem(async tx => {
      await moves.deleteTenantKeys(tx, move.tenant);
      await moves.endRemoving(tx, move.tenant);
    });
  });
}

/** Leads routers, guests and operators to the other installation. */
export async function switchTo(
  { app }: Installation,
  slug: string,
  { panelUrl, captiveUrl }: { panelUrl: string; captiveUrl: string },
): Promise<void> {
  const move = await requireMove({ app, url: '' }, slug);
  if ((await app.db.withSystem(tx => moves.setMoved(tx, move.tenant, { panelUrl, captiveUrl }))) === 0)
    throw new LoadError(`The tenant ${slug} does not leave`);
}

/** Freezes, exports, imports and switches. If it is killed, the next run goes on from there. */
export async function moveTenant(
  from: Installation,
  to: Installation,
  { slug, withoutArchive = false }: { slug: string; withoutArchive?: boolean },
  print: Print,
): Promise<void> {
  const folder = path.join(from.app.settings.DATA_DIR, 'moves', slug);
  const known = await from.app.db.withSystem(tx => moves.findMoveOf(tx, slug));
  if (known?.state === 'moved') {
    print(`Moved     ${slug} before: confirm or cancel`);
    return;
  }
  await requireWhole(from, withoutArchive);
  await requireLoader(to.url);
  const tenant = await from.app.db.withSystem(tx => moves.tenantToMove(tx, slug));
  const arrived = known && (await to.app.db.withSystem(tx => moves.findMove(tx, known.tenant)));
  const isThere = arrived?.state === 'arrived' && arrived.move_id === known?.move_id;
  // Before the tenant is frozen: a refusal then costs it nothing.
  const conflict = tenant && !isThere && (await to.app.db.withSystem(tx => findConflict(tx, tenant)));
  if (conflict) throw new LoadError(`The other installation already has ${conflict}`);
  if (!isThere) {
    const passphrase = await passphraseOf(from.app, folder);
    const complete = await readPackage(folder, passphrase).catch(() => undefined);
    if (!complete || known?.state !== 'frozen' || complete.manifest.moveId !== known.move_id)
      await exportTenant(from, { slug, folder, passphrase, withoutArchive }, print);
    await importTenant(to, { folder, passphrase }, print);
  }
  const { settings } = to.app;
  await switchTo(from, slug, { panelUrl: panelOrigin(settings, slug), captiveUrl: captiveOrigin(settings, slug) });
  await rm(folder, { recursive: true, force: true });
  print(`Moved     ${slug} to ${panelOrigin(settings, slug)}`);
}

/** The passphrase of a move that goes on, encrypted with SECRET_KEY. */
async function passphraseOf({ secrets }: App, folder: string): Promise<string> {
  const file = path.join(folder, 'passphrase');
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  const known = kept === undefined ? undefined : secrets.read(kept);
  if (known !== undefined) return known;
  const passphrase = newPassphrase();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(file, secrets.encrypt(passphrase), { mode: 0o600, flush: true });
  return passphrase;
}

/** Removes the tenant where it was. Routers and guests are still told where it is. */
export async function confirmMove(from: Installation, slug: string): Promise<void> {
  const move = await requireMove(from, slug);
  if (move.state !== 'moved' && move.state !== 'left')
    throw new LoadError(`The tenant ${slug} has not moved yet: there is nothing to confirm`);
  await requireLoader(from.url);
  await removeTenant(from.url, move.tenant);
  await removeFiles(from.app, move.tenant);
  await thawTenant(from.url, move.tenant);
  await from.app.db.withSystem(async tx => {
    await moves.deleteTenantKeys(tx, move.tenant);
    await moves.setLeft(tx, move.tenant);
  });
}

/** Ends the move: the tenant is served here as before. Changes in the other installation are lost. */
export async function cancelMove(from: Installation, to: Installation | undefined, slug: string): Promise<void> {
  const move = await requireMove(from, slug);
  if (move.state !== 'frozen' && move.state !== 'moved')
    throw new LoadError(`The move of ${slug} is confirmed: it can only be moved back`);
  if (move.state === 'moved' && !to)
    throw new LoadError(`The other installation serves ${slug} already: name its settings with --to, so that it stops`);
  if (to) {
    const there = await to.app.db.withSystem(tx => moves.findMove(tx, move.tenant));
    if ((there?.state === 'arriving' || there?.state === 'arrived') && there.move_id === move.move_id)
      await undoImport(to, slug, move.move_id);
  }
  await thawTenant(from.url, move.tenant);
  await from.app.db.withSystem(async tx => {
    await moves.announceRouters(tx, move.tenant);
    await moves.deleteMove(tx, move.tenant);
    // The copies of months may lack its sessions, which were hidden.
    await copyAgain(tx);
  });
  await rm(path.join(from.app.settings.DATA_DIR, 'moves', slug), { recursive: true, force: true });
}
