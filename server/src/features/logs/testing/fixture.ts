import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sql from 'sql-template-tag';
import { newId } from '#lib/ids.ts';
import { createRawStore, type RawStore } from '#syslog/raw-store.ts';
import { formatRecord, type LineOrigin } from '#syslog/record.ts';
import { listSegments, segmentFile } from '#syslog/segments.ts';
import { createSenders } from '#syslog/senders.ts';
import type { TestApi } from '#test/harness.ts';
import { logStore } from '../configured-store.ts';
import { commitTallies, listSenders, listStreams } from '../intake.queries.ts';
import { type ReaderOptions, startReader } from '../reader.ts';

/** Creates a device at a new location. */
export async function makeDevice(
  api: TestApi,
  options: {
    nas: string;
    brand?: string;
    tenant?: string;
    zone?: string;
    logging?: boolean;
    /** The source address of its RADIUS requests. */
    address?: string;
    /** False: the device has not proven its address. */
    proven?: boolean;
    location?: string;
  },
) {
  const { nas, brand = 'mikrotik', tenant = 'panel', zone = 'Europe/Istanbul' } = options;
  const location = options.location ?? newId();
  const id = newId();
  await api.inTenant(async tx => {
    await tx.run(sql`
      insert into locations (id, name, time_zone, trial_end_at) values (${location}, ${nas}, ${zone}, now() + interval '15 days')
      on conflict do nothing`);
    await tx.run(sql`
      insert into devices (id, location_id, brand_id, name, mac_address, nas_identifier, secret, trial_end_at, logging_enabled, last_address)
      select ${id}, ${location}, b.id, ${nas}, ${nas}, ${nas}, 'x', now() + interval '15 days', ${options.logging ?? true}, ${options.address ?? null}::inet
      from brands b where b.slug = ${brand}`);
    // The effect of a RADIUS request from this address.
    const proven = options.address ?? '127.0.0.1';
    if (options.proven !== false)
      await tx.run(sql`
        insert into log_sources (device_id, network, proof, expires_at) values (${id}, ${proven}::inet, 'radius', now() + interval '1 day')`);
  }, tenant);
  return { id, nas, location, tenantId: await api.tenantId(tenant) };
}

/** Waits for a condition, for twenty seconds by default. */
export async function until(isSo: () => Promise<boolean> | boolean, seconds = 20): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('Timed out');
    await new Promise(resolve => setTimeout(resolve, 30));
  }
}

/** Writes lines with any time to a device's raw log and reads them like the log service. Past days are closed. */
export async function feed(
  api: TestApi,
  device: { id: string; tenantId: string },
  lines: readonly { at: string; line: string }[],
  /** Null: the format of 0.5.0. */
  origin: LineOrigin | null = { transport: 'udp', proof: 'radius' },
): Promise<void> {
  const end = await writeRaw(api, device, lines, origin);
  const { reader, stop } = await openReader(api, [device]);
  reader.start();
  await until(() => reader.position(device.id) === end);
  await until(() => isClosed(api, device));
  await stop();
}

/** Whether no day that is over is open: its lines are read in a run of their own before. */
async function isClosed({ app }: TestApi, device: { id: string }): Promise<boolean> {
  const { rowCount } = await app.db.pool.query(
    `select from log_streams s join devices d on d.id = s.device_id join locations l on l.id = d.location_id
      where s.device_id = $1 and s.day < local_day(l.time_zone)`,
    [device.id],
  );
  return rowCount === 0;
}

/** Writes lines to a device's raw log. Returns the position of its end. */
export async function writeRaw(
  api: TestApi,
  device: { id: string; tenantId: string },
  lines: readonly { at: string; line: string }[],
  origin: LineOrigin | null = { transport: 'udp', proof: 'radius' },
): Promise<number> {
  const raw = path.join(api.app.settings.DATA_DIR, 'logs', device.tenantId, device.id, 'raw');
  mkdirSync(raw, { recursive: true });
  const start = (await listSegments(raw)).at(-1)?.end ?? 0;
  const text = lines
    .map(({ at, line }) => formatRecord({ at: Date.parse(at), source: '10.0.0.1', origin: origin ?? undefined, line }))
    .join('');
  writeFileSync(segmentFile(raw, start), text, 'latin1');
  return start + Buffer.byteLength(text, 'latin1');
}

/** A reader of the raw logs of these devices, like that of the log service. */
export async function openReader(
  { app }: TestApi,
  devices: readonly { id: string; tenantId: string }[],
  options: Partial<Pick<ReaderOptions, 'lookAgainMs' | 'load' | 'problem'>> & Partial<Pick<RawStore, 'reopen'>> = {},
) {
  const folder = path.join(app.settings.DATA_DIR, 'logs');
  const senders = createSenders();
  senders.replace(await app.db.withSystem(listSenders));
  const fail = (where: string, error?: unknown) => {
    throw new Error(where, { cause: error });
  };
  const store = createRawStore({ folder, minPosition: id => reader.position(id), failed: fail });
  const reader = await startReader({
    store: { ...store, reopen: options.reopen ?? store.reopen },
    senders,
    load: options.load ?? (() => app.db.withSystem(listStreams)),
    commit: tallies => app.db.withSystem(tx => commitTallies(tx, tallies, [], logStore(app.settings))),
    read: () => undefined,
    problem: options.problem ?? fail,
    lookAgainMs: options.lookAgainMs,
  });
  for (const { tenantId, id } of devices) await store.logOf({ tenantId, deviceId: id }).find();
  return {
    reader,
    stop: async () => {
      await reader.stop();
      await store.close();
    },
  };
}

/** Lines in the format of RouterOS. */
export const line = {
  firewall: (to = '142.250.1.1:443', proto = 'TCP (SYN)') =>
    `<134>Oct 21 09:30:00 nas forward: in:guest out:wan, connection-state:new src-mac aa:bb:cc:dd:ee:ff, proto ${proto}, 10.5.50.9:50000->${to}, len 60`,
  dhcp: () => '<30>Oct 21 09:30:00 nas dhcp1 assigned 10.5.50.9 to AA:BB:CC:DD:EE:FF phone',
  proxy: (host: string) => `<134>Oct 21 09:30:00 nas 10.5.50.9 GET http://${host}/x  action=allow cache=MISS`,
};

/** The stored raw log of a device. Empty before its first line. */
export function readRaw(api: TestApi, device: { id: string; tenantId: string }): string {
  const raw = path.join(api.app.settings.DATA_DIR, 'logs', device.tenantId, device.id, 'raw');
  if (!existsSync(raw)) return '';
  return readdirSync(raw)
    .map(name => readFileSync(path.join(raw, name), 'latin1'))
    .join('');
}
