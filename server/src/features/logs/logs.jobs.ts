import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { tellWebhooks } from '#db/webhook-event.ts';
import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { counter } from '#lib/metrics.ts';
import { syncFolder } from '#lib/sync-folder.ts';
import { listSegments } from '#syslog/segments.ts';
import { deviceFolder } from './archive.ts';
import { appendLink, type Link, readChain, type StampEntry } from './chain.ts';
import { logStore } from './configured-store.ts';
import * as queries from './seal.queries.ts';
import { sealDay } from './seal.ts';
import { fileStore, moveToStore, storeKey } from './store.ts';
import { requestStamp } from './time-stamp.ts';
import { type Finding, verifyDevice } from './verify.ts';

/** The jobs of the log files. All are idempotent and may run in several processes. */
export const logJobs = [
  {
    name: 'send log counts',
    everyMs: 1000,
    run: async (app: App) => {
      await logStore(app.settings).send?.(app);
    },
  },
  { name: 'seal log files', everyMs: 60_000, run: sealAll },
  { name: 'store log files', everyMs: 60_000, run: storeAll },
  { name: 'stamp log files', everyMs: 300_000, run: stampAll },
  { name: 'check log files', everyMs: 86_400_000, run: checkAll },
  { name: 'erase old log files', everyMs: 3_600_000, erases: true as const, run: eraseAll },
  {
    name: 'trim log counts',
    everyMs: 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      const round = Math.floor(Date.now() / 3_600_000);
      const { LOG_RETENTION_DAYS } = app.settings;
      await app.db.withSystem(tx => queries.trimTops(tx, { past: 200, today: 2000, days: LOG_RETENTION_DAYS, round }));
      await app.db.withSystem(tx => queries.trimTopHours(tx, { days: 62, past: 50, today: 500, round }));
    },
  },
];

const recentDays = 7;
/** Each older file is read once in so many days. */
const cycleDays = 30;

/** The time-stamp authority failed. The job ends, because it would fail for every other device too. */
class AuthorityError extends Error {}

interface ClaimedDevice {
  readonly app: App;
  readonly key: queries.DeviceKey;
  readonly folder: string;
  readonly device: string;
  readonly sign: (text: string) => string;
  readonly links: Link[];
}

const renewMs = 120_000;

/** Renews the claim of a device while work on its files takes longer, such as a move to a slow store. */
async function keepClaimed(app: App, key: queries.DeviceKey, work: () => Promise<void>): Promise<void> {
  const renew = () => app.db.withSystem(tx => queries.renewClaim(tx, key));
  // The next renewal is soon enough, and a link of another process is noticed by appendLink.
  const timer = setInterval(() => void renew().catch(() => undefined), renewMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

/** Claims each device and works on its files. A failure of one device does not affect the others. */
async function forEachDevice(
  app: App,
  keys: readonly queries.DeviceKey[],
  what: string,
  work: (claimed: ClaimedDevice) => Promise<void>,
): Promise<void> {
  for (const key of keys) {
    if (!(await app.db.withSystem(tx => queries.claim(tx, key)))) continue;
    try {
      const folder = deviceFolder(app.settings.DATA_DIR, key.tenant_id, key.device_id);
      await keepClaimed(app, key, async () => {
        const links = await readChain(folder);
        await placeStamp(folder, links);
        await work({ app, key, folder, device: `${key.tenant_id}/${key.device_id}`, sign: app.secrets.sign, links });
      });
    } catch (error) {
      counter('portico_log_errors_total', 'Errors of the log service, by place', ['where']).inc({ where: what });
      app.log.error({ err: error, device: key.device_id }, what);
      if (error instanceof AuthorityError) return;
    } finally {
      await app.db.withSystem(tx => queries.release(tx, key));
    }
  }
}

async function sealAll(app: App): Promise<void> {
  await forEachDevice(app, await app.db.withSystem(queries.devicesToSeal), 'seal', sealDevice);
}

/** Moves sealed files to the store, if one is configured. The chain, the stamps and the open day stay on the disk. */
async function storeAll(app: App): Promise<void> {
  const store = fileStore(app.settings);
  if (!store) return;
  const keys = await app.db.withSystem(queries.devicesToStore);
  await forEachDevice(app, keys, 'store', async ({ key, folder, device, links }) => {
    const erased = new Set(links.filter(link => link.kind === 'erased').map(link => link.file));
    let failure: unknown;
    for (const link of links) {
      if (link.kind !== 'file' || erased.has(link.file)) continue;
      // The store may refuse a file, for example a changed one. The others are moved anyway.
      await moveToStore(store, { folder, device, ...link }).catch((error: unknown) => {
        failure = error;
      });
    }
    if (failure) throw failure;
    await app.db.withSystem(tx => queries.markStored(tx, key, links.length));
  });
}

/** One stamp covers the chain up to its head, and so every file before it. */
async function stampAll(app: App): Promise<void> {
  if (app.settings.TSA_URL)
    await forEachDevice(app, await app.db.withSystem(queries.devicesToStamp), 'stamp', stampDevice);
}

/** Reads recent files and a part of the older ones; of the rest it checks the existence. `portico logs verify` reads all of them. */
async function checkAll(app: App): Promise<void> {
  await forEachDevice(app, await app.db.withSystem(queries.devicesToCheck), 'check', checkDevice);
}

/** Does what the daily check does, for one device. Nothing happens while another process works on its files. */
export async function checkNow(app: App, key: queries.DeviceKey): Promise<void> {
  await forEachDevice(app, [key], 'check', checkDevice);
}

async function checkDevice({ app, key, sign, links }: ClaimedDevice): Promise<void> {
  const today = Math.floor(Date.now() / 86_400_000);
  const since = new Date((today - recentDays) * 86_400_000).toISOString();
  const readsContent = (link: Link) => link.at >= since || link.number % cycleDays === today % cycleDays;
  const head = await app.db.withSystem(tx => queries.headOf(tx, key));
  const ids = { tenantId: key.tenant_id, deviceId: key.device_id };
  const store = fileStore(app.settings);
  const findings = await verifyDevice(app.settings.DATA_DIR, ids, { sign, head, readsContent, store });
  const filesWith = (problem: Finding['problem']) => findings.filter(it => it.problem === problem).map(it => it.where);
  await app.db.withSystem(tx =>
    queries.setChecked(tx, key, {
      first: findings[0],
      missing: filesWith('file_missing'),
      changed: filesWith('file_changed'),
      read: links.filter(link => link.kind !== 'erased' && readsContent(link)).map(link => link.file),
    }),
  );
  for (const { where, problem } of findings) {
    app.log.error({ device: key.device_id, where, problem }, 'the check of sealed log files found a problem');
    const [, day = '-', type = where] = /^files\/(\d{4}-\d\d-\d\d)-([a-z]+)/.exec(where) ?? [];
    const once = `log_chain_broken:${key.device_id}:${where}:${problem}`;
    const [name, locationId] = [head?.name ?? key.device_id, head?.location_id ?? null];
    await app.db.withTenant(key.tenant_id, async tx => {
      await tellWebhooks(tx, locationId, 'log_record.broken', { device_id: key.device_id, name, where, problem }, once);
      await notify(tx, {
        kind: 'log_chain_broken',
        to: { tenant: 'admins' },
        data: { device: name, day, type },
        locationId,
        deviceId: key.device_id,
        once,
      });
    });
  }
}

async function sealDevice({ app, key, folder, device, sign, links }: ClaimedDevice): Promise<void> {
  const days = await app.db.withSystem(tx => queries.daysToSeal(tx, key));
  for (const day of days) {
    const sealed = await sealDay(folder, day, { device, sign, links, brand: day.brand ?? undefined });
    const rows = sealed.map(({ link, ...file }) => ({
      ...file,
      sha256: link.kind === 'file' ? link.sha256 : '',
      number: link.number,
      previous: link.previous,
    }));
    await app.db.withSystem(async tx => {
      await queries.markSealed(tx, key, day, rows);
      await queries.setHead(tx, key, headOf(links));
    });
  }
  if (days.length > 0) await deleteSealedRaw(app, key, folder);
}

const headOf = (links: readonly Link[]) => ({ length: links.length, chain: links.at(-1)?.chain ?? '' });

/** Deletes raw segments whose lines are all in sealed files. */
async function deleteSealedRaw(app: App, key: queries.DeviceKey, folder: string): Promise<void> {
  const needed = await app.db.withSystem(tx => queries.neededFrom(tx, key));
  const segments = await listSegments(path.join(folder, 'raw'));
  // The last segment stays, because new positions continue from its end.
  for (const segment of segments.slice(0, -1)) if (segment.end <= needed) await rm(segment.file);
}

async function stampDevice({ app, key, folder, device, sign, links }: ClaimedDevice): Promise<void> {
  const { TSA_URL } = app.settings;
  const head = links.at(-1);
  if (!TSA_URL || !head) return;
  if (head.kind === 'stamp') {
    // A crash came between the stamp and this update.
    await app.db.withSystem(tx => queries.setHead(tx, key, { ...headOf(links), stamped: links.length }));
    return;
  }
  const stamp = await requestStamp(TSA_URL, Buffer.from(head.chain, 'hex')).catch((error: unknown) => {
    throw new AuthorityError('No time stamp', { cause: error });
  });
  const file = `stamps/${String(head.number).padStart(8, '0')}.tsr`;
  await mkdir(path.join(folder, 'stamps'), { recursive: true, mode: 0o750 });
  const handle = await open(draftOfStamp(folder), 'w', 0o640);
  await handle
    .writeFile(stamp)
    .then(() => handle.sync())
    .finally(() => handle.close());
  await appendLink(folder, { kind: 'stamp', file, of: head.chain, sha256: hash(stamp) }, { device, sign, links });
  await placeStamp(folder, links);
  await app.db.withSystem(tx => queries.setHead(tx, key, { ...headOf(links), stamped: links.length }));
}

/** A stamp whose link is not written yet. It is no part of the record, so that a crash leaves no file without a link. */
const draftOfStamp = (folder: string): string => path.join(folder, 'stamps', '.stamp.draft');
const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Puts the newest stamp in its place, also after a crash that came just behind its link. */
async function placeStamp(folder: string, links: readonly Link[]): Promise<void> {
  const newest = links.findLast((link): link is Link & StampEntry => link.kind === 'stamp');
  if (!newest) return;
  const has = async (file: string) => hash(await readFile(file).catch(() => Buffer.alloc(0))) === newest.sha256;
  // Version 0.5.0 wrote the file before its link, so after a crash another stamp may be in its place.
  if ((await has(path.join(folder, newest.file))) || !(await has(draftOfStamp(folder)))) return;
  await rename(draftOfStamp(folder), path.join(folder, newest.file));
  await syncFolder(path.join(folder, 'stamps'));
}

/** Erases files that are older than the retention. The chain still records that they existed and were erased. */
async function eraseAll(app: App): Promise<void> {
  const before = new Date(Date.now() - app.settings.LOG_RETENTION_DAYS * 86_400_000).toISOString().slice(0, 10);
  const store = fileStore(app.settings);
  const keys = await app.db.withSystem(tx => queries.devicesToErase(tx, before));
  await forEachDevice(app, keys, 'erase', async ({ key, folder, device, sign, links }) => {
    for (const { id, path: file } of await app.db.withSystem(tx => queries.filesToErase(tx, key, before))) {
      // The chain is written first. If a crash follows, the next run removes the file.
      if (!links.some(link => link.kind === 'erased' && link.file === file))
        await appendLink(folder, { kind: 'erased', file }, { device, sign, links });
      await rm(path.join(folder, file), { force: true });
      await store?.remove(storeKey(device, file));
      await app.db.withSystem(async tx => {
        await queries.markErased(tx, key, id);
        await queries.setHead(tx, key, headOf(links));
      });
    }
  });
  await app.db.withSystem(tx => queries.eraseCounts(tx, before));
}
