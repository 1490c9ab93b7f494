import { createSocket } from 'node:dgram';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import sql, { type Sql } from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeDevice, until } from '#features/logs/testing/fixture.ts';
import { registry } from '#lib/metrics.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { startSyslog } from './syslog.ts';

let api: TestApi;
let syslog: Awaited<ReturnType<typeof startSyslog>>;
const start = (more: Parameters<typeof startSyslog>[1] = {}) =>
  startSyslog(api.app, { port: 0, gatherMs: 50, ...more });

beforeAll(async () => {
  api = await startApi({ UDP_HOST: '127.0.0.1' });
  syslog = await start();
});
afterAll(() => syslog.stop());
const restart = async (more: Parameters<typeof startSyslog>[1] = {}) => {
  await syslog.stop();
  syslog = await start(more);
};
/** Limits the service for the rest of the test. */
const limit = async (more: Parameters<typeof startSyslog>[1]) => {
  onTestFinished(() => restart());
  await restart(more);
};

const udp = (lines: readonly (string | Buffer)[], port = syslog.port, from = '127.0.0.1') =>
  new Promise<void>(resolve => {
    const socket = createSocket('udp4');
    let left = lines.length;
    socket.bind(0, from, () => {
      for (const line of lines)
        socket.send(line, port, '127.0.0.1', () => --left === 0 && socket.close(() => resolve()));
    });
  });
/** Sends each chunk when the service has read the one before: otherwise it would read them as one. */
const tcp = async (chunks: readonly (string | Buffer)[]): Promise<void> => {
  const accepted: Socket[] = [];
  const accept = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', accept);
  const socket = connect(syslog.port, '127.0.0.1');
  await once(socket, 'connect');
  const reader = () => accepted.find(it => it.remotePort === socket.localPort);
  await expect.poll(reader, { interval: 1 }).toBeDefined();
  unsubscribe('net.server.socket', accept);
  const received = reader()!;
  for (const chunk of chunks) {
    socket.write(chunk);
    await expect.poll(() => received.bytesRead, { interval: 1 }).toBe(socket.bytesWritten);
  }
  socket.end();
};
const rawOf = (tenant: string, device: string): string => {
  const folder = path.join(api.app.settings.DATA_DIR, 'logs', tenant, device, 'raw');
  return readdirSync(folder)
    .sort()
    .map(file => readFileSync(path.join(folder, file), 'latin1'))
    .join('');
};
const linesOf = (device: string) =>
  api.inTenant(
    async tx =>
      (await tx.one<{ n: number }>(sql`select coalesce(sum(lines), 0) as n from log_files where device_id = ${device}`))
        .n,
  );
const dropped = async (reason: string): Promise<number> => {
  const metric = await registry.getSingleMetric('portico_log_dropped_total')?.get();
  return metric?.values.find(value => value.labels['reason'] === reason)?.value ?? 0;
};

const firewall = (nas: string, n: number) =>
  `<134>Oct 21 09:30:00 ${nas} forward: in:guest out:wan, connection-state:new src-mac aa:bb:cc:dd:ee:ff, proto TCP (SYN), 10.5.50.9:${n}->142.250.1.1:443, len 60`;

describe('the log service', () => {
  test('stores and counts the lines of known devices, over UDP and TCP', async () => {
    const device = await makeDevice(api, { nas: 'hotel0001a' });
    await restart();
    await udp([
      firewall(device.nas, 50_000),
      `<30>Oct 21 09:30:00 router ${device.nas}: dhcp1 assigned 10.5.50.9 to AA:BB:CC:DD:EE:FF phone`,
      `dns,info ${device.nas}: dns done query: #12 www.youtube.com 142.250.1.1\n`,
      `<134>1 2026-10-21T09:30:00Z ${device.nas} - - - - forward: in:guest out:wan, proto TCP (SYN), 10.5.50.9:50001->142.250.1.1:443, len 60`,
    ]);
    const proxy = `<134>Oct 21 09:30:00 ${device.nas} 10.5.50.9 GET http://example.com.tr/x  action=allow cache=MISS`;
    await tcp([
      `${proxy}\n${proxy.length} ${proxy}`,
      `${proxy.length} ${proxy.slice(0, 20)}`,
      `${proxy.slice(20)}${proxy}`,
      '\n',
    ]);
    await until(async () => (await linesOf(device.id)) === 8);
    expect(rawOf(device.tenantId, device.id).trim().split('\n')).toHaveLength(8);
    const types = await api.inTenant(tx =>
      tx.many(sql`select type, lines from log_files where device_id = ${device.id} order by type`),
    );
    expect(types).toEqual([
      { type: 'dhcp', lines: 1 },
      { type: 'dns', lines: 1 },
      { type: 'firewall', lines: 2 },
      { type: 'proxy', lines: 4 },
    ]);
    const tops = await api.inTenant(tx =>
      tx.many(sql`select kind, name, connections from log_tops where device_id = ${device.id} order by 1, 2`),
    );
    expect(tops).toContainEqual({ kind: 'website', name: 'example.com.tr', connections: 4 });
    expect(tops).toContainEqual({ kind: 'website', name: 'youtube.com', connections: 1 });
    expect(tops).toContainEqual({ kind: 'application', name: 'YouTube', connections: 1 });
  });

  test('recognises a new device at its second line; counts unknown senders and stores none of their lines', async () => {
    const before = await dropped('unknown_sender');
    const strangers = ['<134>Oct 21 09:30:00 nobody00 forward: in:a out:b', Buffer.from([0, 255, 10, 13]), ''];
    await udp(strangers, syslog.port, '127.9.9.9');
    await until(async () => (await dropped('unknown_sender')) >= before + 3);
    const device = await makeDevice(api, { nas: 'hotel0002a' });
    await until(async () => {
      await udp([firewall(device.nas, 1)]);
      return (await linesOf(device.id)) > 0;
    });
    expect(readdirSync(path.join(api.app.settings.DATA_DIR, 'logs', device.tenantId)).sort()).not.toContain('nobody00');
  });

  test('assigns a line without NAS identifier to the device at its address, unless there are two', async () => {
    const alone = await makeDevice(api, { nas: 'hotel0003a', brand: 'watchguard', address: '127.0.3.3' });
    api.app.log.info('restart');
    await restart();
    const line =
      '<142>May 10 15:19:05 fw 80A1 (2026-05-10T09:49:05) dhcpd[10]: msg_id="1600-0002" DHCPOFFER on 10.0.0.2 to 84:2b:2b:a6:02:3f (x) via eth1';
    await udp([line], syslog.port, '127.0.3.3');
    await until(async () => (await linesOf(alone.id)) === 1);
    await makeDevice(api, { nas: 'hotel0004a', address: '127.0.3.3' });
    await restart();
    const before = await dropped('unknown_sender');
    await udp([line], syslog.port, '127.0.3.3');
    await until(async () => (await dropped('unknown_sender')) > before);
    expect(await linesOf(alone.id)).toBe(1);
  });

  test('assigns lines in every format of routers, by UDP and by TCP without framing', async () => {
    const router = await makeDevice(api, { nas: 'hotel0030a' });
    const firebox = await makeDevice(api, { nas: 'hotel0031a', brand: 'watchguard' });
    await restart();
    const message =
      'forward: in:guest out:wan, connection-state:new proto TCP (SYN), 10.5.50.9:1->142.250.1.1:443, len 60';
    await udp([
      `firewall,info ${router.nas}: fw ${message}`,
      `<30>Oct  2 17:36:35 Our lobby ${router.nas}: ${message}`,
      `<13>Oct  2 17:36:35 relay firewall[81]: ${router.nas}: ${message}`,
      `Oct  2 17:36:35 MikroTik CEF:0|MikroTik|CHR|7.20|10|firewall,info|Low|dvchost=${router.nas} dvc=192.0.2.7 msg=${message}\r\n`,
      `<142>May 10 15:19:06 Firebox ${firebox.nas.toUpperCase()} (2026-05-10T09:49:05) firewall[10]: msg_id="3000-0148" Allow 1-Trusted 0-External 52 tcp 20 127 10.0.1.2 198.51.100.5 62443 80 offset 8 S 8 win 8192 (HTTP-00)`,
    ]);
    await tcp([1, 2, 3].map(n => `<30>Oct  2 17:36:3${n} MikroTik ${router.nas}: ${message}`));
    await until(async () => (await linesOf(router.id)) === 7 && (await linesOf(firebox.id)) === 1);
    const types = await api.inTenant(tx =>
      tx.many(sql`select type from log_files where device_id in (${router.id}, ${firebox.id}) group by type`),
    );
    expect(types).toEqual([{ type: 'firewall' }]);
  });

  test('stores no lines of a device whose logging is off', async () => {
    const silent = await makeDevice(api, { nas: 'hotel0005a', logging: false });
    await restart();
    const before = await dropped('logging_off');
    await udp([firewall(silent.nas, 1)]);
    await until(async () => (await dropped('logging_off')) === before + 1);
    expect(readdirSync(path.join(api.app.settings.DATA_DIR, 'logs', silent.tenantId))).not.toContain(silent.id);
  });

  test('handles random bytes, a line of a megabyte and newlines inside a message', async () => {
    const device = await makeDevice(api, { nas: 'hotel0006a' });
    await restart();
    const head = `<134>Oct 21 09:30:00 ${device.nas} `;
    const long = `${head}${'x'.repeat(1_000_000)}`;
    const multi = `${head}one\ntwo`;
    await tcp([
      `${long}\n`,
      `${multi.length} ${multi}`,
      Buffer.concat([Buffer.from(head), Buffer.from([0, 1, 2, 255, 254, 10])]),
    ]);
    await udp([Buffer.concat([Buffer.from(head), Buffer.alloc(9000, 200)])]);
    await until(async () => (await linesOf(device.id)) === 4);
    const lines = rawOf(device.tenantId, device.id).split('\n').slice(0, -1);
    expect(lines.map(line => line.length).every(length => length < 8300)).toBe(true);
    expect(lines.some(line => line.endsWith('one\\ntwo'))).toBe(true);
    expect(lines.some(line => line.endsWith('\x00\x01\x02\xff\xfe'))).toBe(true);
  });

  test('limits a flood of one device without dropping lines of another', async () => {
    const loud = await makeDevice(api, { nas: 'hotel0007a' });
    const quiet = await makeDevice(api, { nas: 'hotel0008a' });
    await limit({ linesPerSecond: 100 });
    const before = await dropped('flood');
    const socket = connect(syslog.port, '127.0.0.1');
    for (let i = 0; i < 3000; i++) socket.write(`${firewall(loud.nas, i)}\n`);
    socket.end();
    await udp(Array.from({ length: 50 }, (_, i) => firewall(quiet.nas, i)));
    await until(async () => (await linesOf(quiet.id)) === 50);
    await until(async () => (await linesOf(loud.id)) + (await dropped('flood')) - before === 3000);
    expect(await linesOf(loud.id)).toBeLessThan(1500);
  });

  test('records dropped lines by device and reason', async () => {
    const limited = await makeDevice(api, { nas: 'hotel0021a' });
    const silent = await makeDevice(api, { nas: 'hotel0022a', logging: false });
    const shared = [
      await makeDevice(api, { nas: 'hotel0023a', address: '127.0.4.4' }),
      await makeDevice(api, { nas: 'hotel0024a', address: '127.0.4.4' }),
    ];
    await limit({ linesPerSecond: 5, dropReportMs: 50 });
    await udp([...Array.from({ length: 30 }, (_, i) => firewall(limited.nas, i)), firewall(silent.nas, 1)]);
    const ofShared = ['<134>Oct 21 09:30:00 nobody forward: in:a out:b'];
    await udp(
      [...ofShared, Buffer.from(`${firewall(shared[0]!.nas, 1)}${'x'.repeat(9000)}`)],
      syslog.port,
      '127.0.4.4',
    );
    const admin = await api.user('tenant-admin');
    const lost = async (id: string) => {
      const { body } = await api.get(`panel/device/${id}/logs/record`, { token: admin.token });
      return Object.fromEntries(
        body.data.lost.map((row: { reason: string; lines: number }) => [row.reason, row.lines]),
      );
    };
    await until(async () => ((await lost(limited.id)).flood ?? 0) >= 15);
    await until(async () => (await lost(silent.id)).logging_off === 1);
    await until(async () => (await lost(shared[0]!.id)).cut === 1);
    expect(await lost(shared[0]!.id)).toEqual({ cut: 1, unnamed: 1 });
    expect(await lost(shared[1]!.id)).toEqual({ unnamed: 1 });
    const record = async () =>
      (await api.get(`panel/device/${silent.id}/logs/record`, { token: admin.token })).body.data;
    const { unknown_lines: before } = await record();
    await udp(Array(3).fill('<134>Oct 21 09:30:00 nobody00 forward: in:a out:b'), syslog.port, '127.9.9.8');
    await until(async () => (await record()).unknown_lines === before + 3);
    expect(await record()).toMatchObject({
      logging_enabled: false,
      last_line_at: null,
      sealed_files: 0,
      problem: null,
    });
  });

  test('loses and double counts no line over restarts and database errors', async () => {
    const device = await makeDevice(api, { nas: 'hotel0009a' });
    await restart();
    let sent = 0;
    const send = async (n: number) => {
      await udp(Array.from({ length: n }, () => firewall(device.nas, sent++ % 60_000)));
    };
    await send(100);
    await until(async () => (await linesOf(device.id)) === 100);
    // The counts cannot be written; lines are stored all the same.
    await api.app.db.pool.query('alter table log_hours rename to log_hours_away');
    await send(100);
    await until(() => rawOf(device.tenantId, device.id).split('\n').length === 201);
    await restart();
    await send(100);
    await until(() => rawOf(device.tenantId, device.id).split('\n').length === 301);
    expect(await linesOf(device.id)).toBe(100);
    await api.app.db.pool.query('alter table log_hours_away rename to log_hours');
    await until(async () => (await linesOf(device.id)) === 300, 20);
    // A line truncated by a crash stays as it is, and the next one is complete.
    await syslog.stop();
    const folder = path.join(api.app.settings.DATA_DIR, 'logs', device.tenantId, device.id, 'raw');
    appendFileSync(path.join(folder, readdirSync(folder).sort().at(-1) as string), '2026-10-21T09:3');
    syslog = await start();
    await send(1);
    await until(async () => (await linesOf(device.id)) === 302);
    // Lines are counted in order: one that is counted twice comes before this one.
    await send(1);
    await until(async () => (await linesOf(device.id)) === 303);
    const minutes = await api.inTenant(tx =>
      tx.one<{ n: number; m: number }>(sql`
        select sum(lines) as n, sum((select sum(x) from unnest(minutes) x)) as m from log_hours where device_id = ${device.id}`),
    );
    expect(minutes).toEqual({ n: 303, m: 303 });
  });

  test('two readers of one stream count it once', async () => {
    const device = await makeDevice(api, { nas: 'hotel0010a' });
    const other = await start();
    // The first line of a new device may come before the service knows the device.
    await until(async () => {
      await udp([firewall(device.nas, 1)], other.port);
      return (await linesOf(device.id)) > 0;
    });
    const raw = () => rawOf(device.tenantId, device.id);
    const written = () => raw().split('\n').length - 1;
    await udp([firewall(device.nas, 2)], other.port);
    await until(() => raw().includes('10.5.50.9:2->'));
    await other.stop();
    await restart();
    // Lines are counted in order: one that is counted twice comes before these.
    for (const n of [3, 4]) {
      await udp([firewall(device.nas, n)]);
      await until(() => raw().includes(`10.5.50.9:${n}->`));
      await until(async () => (await linesOf(device.id)) >= written());
      expect(await linesOf(device.id)).toBe(written());
    }
  });

  test('a tenant does not see the lines of another tenant', async () => {
    const device = await makeDevice(api, { nas: 'other0001a', tenant: 'other' });
    await restart();
    await udp([firewall(device.nas, 1)]);
    const count = (slug: string) =>
      api.inTenant(
        async tx =>
          (await tx.one<{ n: number }>(sql`select count(*) as n from log_files where device_id = ${device.id}`)).n,
        slug,
      );
    await until(async () => (await count('other')) === 1);
    expect(await count('panel')).toBe(0);
    await expect(api.inTenant(tx => tx.run(sql`update log_files set lines = 0`), 'other')).rejects.toThrow(
      /permission denied/,
    );
  });

  test('goes on where another installation ended when a tenant comes back from it', async () => {
    const device = await makeDevice(api, { nas: 'moved0001a', tenant: 'moved', address: '127.0.0.9' });
    const { id, nas, tenantId } = device;
    const system = (statement: Sql) => api.app.db.withSystem(tx => tx.many(statement));
    const announce = () =>
      system(
        sql`select pg_notify('portico', json_build_object('tenant', ${tenantId}::uuid, 'location', null, 'topic', 'devices')::text)`,
      );
    const counted = async () =>
      (await system(sql`select coalesce(sum(lines), 0)::int as n from log_files where device_id = ${id}`))[0]!['n'];
    const send = () => udp([firewall(nas, 1)], syslog.port, '127.0.0.9');
    await until(() => send().then(async () => Number(await counted()) > 0));

    await system(sql`
      insert into tenant_moves (tenant, move_id, slug, hosts, direction, state) values (${tenantId}, ${id}, 'moved', '{}', 'out', 'moved')`);
    await announce();
    const unknown = await dropped('unknown_sender');
    await until(() => send().then(async () => (await dropped('unknown_sender')) > unknown));

    // A move there and back leaves other files, and a later position.
    const raw = path.join(api.app.settings.DATA_DIR, 'logs', tenantId, id, 'raw');
    rmSync(raw, { recursive: true });
    mkdirSync(raw);
    writeFileSync(path.join(raw, '0000000000900000.log'), 'a line that was counted there\n');
    await system(sql`update log_days set end_position = 900030 where device_id = ${id}`);
    await system(
      sql`update log_streams set position = 900030, day = null, day_position = null where device_id = ${id}`,
    );
    const before = Number(await counted());
    const stays = await makeDevice(api, { nas: 'hotel0011a', address: '127.0.0.10' });
    const reading = () => udp([firewall(stays.nas, 1)], syslog.port, '127.0.0.10');
    await until(() => reading().then(async () => (await linesOf(stays.id)) > 0));
    // Its reader waits for the database; a new device does not wait for it.
    await api.app.db.pool.query('alter table log_hours rename to log_hours_away');
    const failures = async () =>
      (await registry.getSingleMetric('portico_log_errors_total')?.get())?.values.find(
        it => it.labels['where'] === 'commit_failed',
      )?.value ?? 0;
    const failed = await failures();
    await until(() => reading().then(async () => (await failures()) > failed));
    // The service hears of both devices at once.
    await system(sql`delete from tenant_moves`);
    const fresh = await makeDevice(api, { nas: 'hotel0012a', address: '127.0.0.11' });
    await announce();
    const ofFresh = path.join(api.app.settings.DATA_DIR, 'logs', fresh.tenantId, fresh.id, 'raw');
    await until(() => udp([firewall(fresh.nas, 1)], syslog.port, '127.0.0.11').then(() => existsSync(ofFresh)));
    expect(readdirSync(raw)).toEqual(['0000000000900000.log']);
    await api.app.db.pool.query('alter table log_hours_away rename to log_hours');
    await until(() => send().then(async () => Number(await counted()) > before));
    expect(rawOf(tenantId, id)).toMatch(/^a line that was counted there\n.*moved0001a forward: in:guest/);
  });
});
