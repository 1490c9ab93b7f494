import { existsSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { dropReportDays } from '@portico/contract/log-intervals.ts';
import { type LogFile, type LogRecordState, type logFileTypes, maxPopularDays } from '@portico/contract/logs.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid, notFound } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { Rows } from '#http/page.ts';
import type { App } from '#lib/app.ts';
import { deviceFolder, fileName, linesOfType } from './archive.ts';
import { logStore } from './configured-store.ts';
import { listDroppedLines, unassignedDrops } from './dropped-lines.queries.ts';
import { histogram, type LocalPeriod, momentsOf } from './histogram.ts';
import { readLink, signLink } from './links.ts';
import { type LocalHour, localHour, momentOf } from './local-day.ts';
import * as queries from './logs.queries.ts';
import { fileStore, openSealed } from './store.ts';
import type { TopKind } from './tally.ts';

type FileType = (typeof logFileTypes)[number];

export async function listLogFiles(
  tx: Tx,
  { app, actor, deviceId }: { app: App; actor: Actor; deviceId: string },
  query: {
    page: number;
    per_page: number;
    types?: FileType[] | undefined;
    start_at?: string | undefined;
    end_at?: string | undefined;
  },
): Promise<Rows<LogFile>> {
  const device = found(await queries.findLogDevice(tx, actor, deviceId));
  const { start_at, end_at, types, page, per_page } = query;
  if (start_at && end_at && end_at < start_at.slice(0, end_at.length)) throw invalid({ end_at: 'after_start' });
  const { rows, total } = await queries.listFiles(tx, deviceId, {
    page,
    per_page,
    types: types?.length ? types : ['firewall', 'dhcp', 'proxy'],
    from: start_at?.slice(0, 10),
    to: end_at?.slice(0, 10),
  });
  return {
    total,
    rows: rows.map(row => ({
      ...row,
      log_time: new Date(momentOf(`${row.day}T00:00:00`, device.time_zone)).toISOString(),
      download_url: signLink(app.secrets, { tenantId: actor.tenantId, fileId: row.id, userId: actor.userId }),
    })),
  };
}

/** Whether an actor may still see a device's logs. */
export const maySeeLogs = async ({ inTenant }: Pick<Context, 'inTenant'>, actor: Actor, deviceId: string) =>
  (await inTenant(tx => queries.findLogDevice(tx, actor, deviceId))) !== undefined;

/** The state of the legal record of a device, and the lines that were dropped. */
export async function recordState(tx: Tx, app: App, actor: Actor, deviceId: string): Promise<LogRecordState> {
  found(await queries.findLogDevice(tx, actor, deviceId));
  const { problem, problem_where, ...state } = await queries.findRecord(tx, deviceId);
  return {
    ...state,
    problem: problem && { what: problem, where: problem_where ?? '' },
    retention_days: app.settings.LOG_RETENTION_DAYS,
    lost: await listDroppedLines(tx, deviceId, dropReportDays),
    ...(await unassignedDrops(tx, dropReportDays)),
  };
}

/** A check reads the files of a week, so the result of the last seconds is not computed again. */
const calmMs = 10_000;

/** The device whose record is to be checked now; undefined if it was checked just before. */
export async function checkable(tx: Tx, actor: Actor, deviceId: string) {
  const { id } = found(await queries.findLogDevice(tx, actor, deviceId));
  const { checked_at } = await queries.findRecord(tx, id);
  if (checked_at && Date.now() - Date.parse(checked_at) < calmMs) return undefined;
  return { tenant_id: actor.tenantId, device_id: id };
}

type LogCall = Pick<Context, 'app' | 'inTenant'> & { readonly actor: Actor };

/** A device that the actor may see, for reading its counts. */
async function countedDevice({ actor, inTenant }: LogCall, deviceId: string) {
  const device = found(await inTenant(tx => queries.findLogDevice(tx, actor, deviceId)));
  return { device, of: { inTenant, tenantId: actor.tenantId, deviceId: device.id } };
}

export async function logHistogram(
  call: LogCall,
  deviceId: string,
  query: LocalPeriod & { interval: 'day' | 'hour' | 'minute' },
) {
  const { device, of } = await countedDevice(call, deviceId);
  return histogram(logStore(call.app.settings), of, device.time_zone, query.interval, query);
}

export async function popular(call: LogCall, deviceId: string, kind: TopKind, period: LocalPeriod) {
  const { device, of } = await countedDevice(call, deviceId);
  const { start, end } = momentsOf(period, device.time_zone, { defaultDays: 7, maxDays: maxPopularDays });
  const [from, to, now] = [start, end, Date.now()].map(at => localHour(at, device.time_zone)) as [
    LocalHour,
    LocalHour,
    LocalHour,
  ];
  // No line is newer than the current hour, so a period until now can use the total of today.
  const untilNow = to.day === now.day && to.hour >= now.hour;
  return logStore(call.app.settings).tops(of, kind, { from, to: untilNow ? { ...to, hour: 23 } : to });
}

/** Opens the file of a signed link. Writes the download to the audit log first. */
export async function openDownload(app: App, token: string, ip: string): Promise<{ stream: Readable; name: string }> {
  const { tenantId, fileId, userId } = readLink(app.secrets, token);
  const file = await app.db.withTenant(tenantId, async tx => {
    const row = await queries.findFile(tx, fileId);
    if (row)
      await audit(
        tx,
        { userId, ip },
        {
          verb: 'export',
          subject: { type: 'log-file', id: fileId, name: `${row.device_name ?? row.device_id} ${row.day} ${row.type}` },
          locationId: row.location_id,
          deviceId: row.device_id,
        },
      );
    return row;
  });
  if (!file) throw notFound();
  const folder = deviceFolder(app.settings.DATA_DIR, tenantId, file.device_id);
  const label = (file.device_name ?? file.device_id).replaceAll(/[^\w.-]+/g, '-').slice(0, 60);
  const name = `${label}-${fileName(file)}`;
  if (!file.path) {
    const raw = path.join(folder, 'raw');
    if (!existsSync(raw)) throw new AppError('away');
    const lines = Readable.from(linesOfType(raw, file, file.type, file.brand ?? undefined));
    return { stream: lines.pipe(createGzip()), name };
  }
  const device = `${tenantId}/${file.device_id}`;
  const stream = await openSealed(folder, file.path, { store: fileStore(app.settings), device }).catch(
    (cause: unknown) => {
      throw new AppError('away', { cause });
    },
  );
  if (!stream) throw new AppError('away');
  return { stream, name };
}
