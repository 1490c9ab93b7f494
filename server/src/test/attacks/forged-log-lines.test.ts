import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { code } from '@portico/radius/attributes.ts';
import { openClient } from '@portico/radius/client.ts';
import { text } from '@portico/radius/encode.ts';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { notifyQuarantined } from '#features/log-sources/log-sources.jobs.ts';
import { makeDevice, until } from '#features/logs/testing/fixture.ts';
import { recordPast } from '#features/sessions/public.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { startRadius } from '../../services/radius.ts';
import { startSyslog } from '../../services/syslog.ts';

/*
 * The attack: a stranger knows the NAS identifier of a hotel, which is in every URL of its portal, and sends log lines in its
 * name. Each test has a hotel, a router and attackers of its own.
 */
let router: string;
let stranger: string;
let flooder: string;
let publicAddress: string;
const secret = 'a secret of the router';

let api: TestApi;
let admin: string;
let device: Awaited<ReturnType<typeof makeDevice>>;
let syslog: Awaited<ReturnType<typeof startSyslog>>;
let radius: Awaited<ReturnType<typeof startRadius>>;

const startLogs = () => startSyslog(api.app, { port: 0, gatherMs: 50, dropReportMs: 50, linesPerSecond: 200 });

beforeAll(async () => {
  api = await startApi({ UDP_HOST: '0.0.0.0' });
  admin = (await api.user('tenant-admin')).token;
  const settings = { ...api.app.settings, RADIUS_AUTH_PORT: 0, RADIUS_ACCT_PORT: 0 };
  radius = await startRadius({ ...api.app, settings }, { seenEveryMs: 0 });
  syslog = await startLogs();
});
afterAll(async () => {
  await syslog?.stop();
  await radius?.stop();
});

let hotels = 0;
beforeEach(async () => {
  hotels += 1;
  [router, stranger, flooder] = [`127.1.${hotels}.1`, `127.66.${hotels}.6`, `127.66.${hotels}.7`];
  publicAddress = `203.0.113.${hotels}`;
  const location = await api.location(admin, `Otel ${hotels}`);
  device = await makeDevice(api, { nas: `forge000${hotels}a`, location, proven: false });
  await api.inTenant(tx =>
    tx.run(sql`update devices set secret = ${api.app.secrets.encrypt(secret)} where id = ${device.id}`),
  );
  for (const [username, name, mac, ip] of [
    ['masum', 'Masum Misafir', 'A0:00:00:00:00:01', '10.5.50.20'],
    ['asil', 'Asıl Misafir', 'A0:00:00:00:00:02', '10.5.50.21'],
  ] as const) {
    await api.post('panel/client', {
      token: admin,
      body: { location_id: location, name, provider_type: 'username', username, password: 'secret1' },
    });
    const startedAt = new Date(Date.now() - 1_800_000);
    await recordPast(api.app, await api.tenantId('panel'), [
      {
        deviceId: device.id,
        username,
        mac,
        ip,
        sessionId: `s-${mac}`,
        seconds: 1799,
        upload: 1,
        download: 1,
        startedAt,
      },
    ]);
  }
  await prove(router);
  // The log service looks up the senders on its own.
  await until(async () => {
    await send(router, ['<134>Oct 21 09:30:00 router hello']);
    return stored().includes('hello');
  });
});

const send = async (from: string, lines: readonly string[]): Promise<void> => {
  const socket = createSocket('udp4');
  await new Promise<void>(resolve => socket.bind(0, from, resolve));
  for (const [i, line] of lines.entries()) {
    await new Promise<void>(resolve => socket.send(line, syslog.port, '127.0.0.1', () => resolve()));
    // The receiver shares this thread. Without pauses, the kernel's buffer would overflow before it reads.
    if (i % 50 === 49) await new Promise(resolve => setTimeout(resolve, 2));
  }
  await new Promise<void>(resolve => socket.close(() => resolve()));
};
const translation = (ip: string, port: number) =>
  `<134>Oct 21 09:30:00 ${device.nas} forward: in:guest out:wan, connection-state:established,snat src-mac a0:00:00:00:00:01, proto TCP (ACK), ${ip}:${port}->198.51.100.9:443, NAT (${ip}:${port}->${publicAddress}:${port})->198.51.100.9:443, len 52`;
const stored = (): string => {
  try {
    const raw = path.join(api.app.settings.DATA_DIR, 'logs', device.tenantId, device.id, 'raw');
    return readdirSync(raw)
      .sort()
      .map(name => readFileSync(path.join(raw, name), 'latin1'))
      .join('');
  } catch {
    return '';
  }
};
const sources = async () => (await api.get(`panel/device/${device.id}/log-sources`, { token: admin })).body.data;
const quarantined = async (address: string) =>
  (await sources()).quarantined.find((row: Body) => row.address === address);
const ask = async (port: number): Promise<Body[]> => {
  const body = { address: publicAddress, port, at: new Date().toISOString(), reason: 'Deneme' };
  return (await api.post('panel/reports/who-was-it', { token: admin, body })).body.data.matches;
};
/** The router proves its address by a Status-Server with its secret. */
const prove = async (from: string): Promise<void> => {
  const client = openClient({
    ...{ host: '127.0.0.1', port: radius.authPort, from, timeoutMs: 500, attempts: 5 },
    secret: Buffer.from(secret),
    requireMessageAuthenticator: true,
  });
  await client.send({ code: code['Status-Server'], attributes: [text(32, device.nas)] });
  client.close();
  await until(async () => (await sources()).trusted.some((row: Body) => row.address === from));
};
const lost = async (): Promise<Record<string, number>> => {
  const { body } = await api.get(`panel/device/${device.id}/logs/record`, { token: admin });
  return Object.fromEntries(body.data.lost.map((row: Body) => [row.reason, row.lines]));
};

describe('a stranger who names a device in log lines', () => {
  test('adds nothing to the record or to a search, over UDP or TCP, is shown to the operator, who is notified once after some minutes', async () => {
    await send(
      stranger,
      [1, 2, 3].map(n => translation('10.5.50.20', 51_230 + n)),
    );
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ port: syslog.port, host: '127.0.0.1', localAddress: stranger });
      socket.on('error', reject);
      socket.end(`${translation('10.5.50.20', 51_234)}\n`, () => resolve());
    });
    await until(async () => (await quarantined(stranger))?.lines === 4 && (await lost()).unproven! >= 4);
    expect((await quarantined(stranger)).samples.at(-1)).toContain('10.5.50.20:51234');
    expect(stored()).not.toContain(stranger);
    expect(stored()).not.toContain('10.5.50.20');
    for (const port of [51_231, 51_234])
      expect((await ask(port)).filter(match => match.exact || match.certain || match.tie === 'translation')).toEqual(
        [],
      );
    expect((await lost()).unproven).toBe(4);

    const told = async () =>
      (await api.get('panel/notification', { token: admin })).body.data
        .filter((it: Body) => it.kind === 'log_lines_quarantined' && it.data.address === stranger)
        .map((it: Body) => it.data);
    await notifyQuarantined(api.app);
    expect(await told()).toEqual([]);
    await api.inTenant(tx => tx.run(sql`update log_quarantine set first_at = now() - interval '11 minutes'`));
    await notifyQuarantined(api.app);
    await notifyQuarantined(api.app);
    expect(await told()).toEqual([{ device: device.nas, lines: 4, address: stranger }]);
  });

  test('cannot displace genuine lines by a flood', async () => {
    const junk = Array.from({ length: 20_000 }, (_, n) => `<134>Oct 21 09:30:00 ${device.nas} junk ${n}`);
    const genuine = Array.from({ length: 150 }, (_, n) => translation('10.5.50.21', 40_000 + n));
    // A part of the flood comes together with each ten of them.
    const rounds = genuine.length / 10;
    for (let i = 0; i < rounds; i++)
      await Promise.all([
        send(flooder, junk.slice((junk.length * i) / rounds, (junk.length * (i + 1)) / rounds)),
        send(router, genuine.slice(i * 10, i * 10 + 10)),
      ]);
    await until(() => genuine.every(line => stored().includes(line)));
    expect(stored()).not.toContain('junk');
  });

  test('does not change the results from genuine lines; UDP is never certain', async () => {
    await send(router, [translation('10.5.50.21', 40_500)]);
    await until(async () => (await ask(40_500)).length === 1);
    const [match] = await ask(40_500);
    expect(match).toMatchObject({
      tie: 'translation',
      proof: 'address',
      certain: false,
      guest: { name: 'Asıl Misafir' },
    });
    expect(match!.lines.every((line: Body) => line.proof === 'address')).toBe(true);
  });

  test('proves no address with a RADIUS packet without the secret, or with a recorded packet', async () => {
    const socket = createSocket('udp4');
    await new Promise<void>(resolve => socket.bind(0, stranger, resolve));
    const wrong = openClient({
      ...{ host: '127.0.0.1', port: radius.authPort, from: stranger, timeoutMs: 200, attempts: 1 },
      secret: Buffer.from('a guess'),
    });
    expect(await wrong.send({ code: code['Status-Server'], attributes: [text(32, device.nas)] })).toBeUndefined();
    wrong.close();
    // A packet of the router, recorded on its way by a relay between it and the server.
    const relay = createSocket('udp4');
    await new Promise<void>(resolve => relay.bind(0, '127.0.0.1', resolve));
    const recorded = new Promise<Buffer>(resolve => relay.once('message', resolve));
    const client = openClient({
      ...{ host: '127.0.0.1', port: relay.address().port, from: router, timeoutMs: 200, attempts: 1 },
      secret: Buffer.from(secret),
      requireMessageAuthenticator: true,
    });
    const asking = client.send({ code: code['Status-Server'], attributes: [text(32, device.nas)] });
    const packet = await recorded;
    await asking;
    client.close();
    const deliver = (it: typeof socket) =>
      new Promise<void>(resolve => {
        it.once('message', () => resolve());
        it.send(packet, radius.authPort, '127.0.0.1');
      });
    await deliver(relay);
    await deliver(socket);
    relay.close();
    socket.close();
    await api.app.db.pool.query('select 1');
    expect((await sources()).trusted.map((row: Body) => row.address)).toEqual([router]);
  });

  test('cannot fill a table by sending from very many addresses', async () => {
    await send(
      stranger,
      Array.from({ length: 25 }, (_, n) => translation('10.5.50.20', 51_300 + n)),
    );
    await until(async () => (await quarantined(stranger))?.lines >= 25);
    for (let n = 1; n <= 60; n++) await send(`127.70.0.${n}`, [translation('10.5.50.20', 52_000)]);
    await until(async () => {
      const { quarantined, other_lines } = await sources();
      const counted = quarantined.reduce((sum: number, row: Body) => sum + row.lines, 0) + other_lines;
      return other_lines > 0 && counted === (await lost()).unproven;
    });
    const { quarantined: rows } = await sources();
    expect(rows).toHaveLength(20);
    expect(rows.find((row: Body) => row.address === stranger).samples).toHaveLength(20);
  });
});

describe('a line from an address that an operator trusts', () => {
  test('is accepted after one call, which is in the audit log, and is never certain', async () => {
    const uplink = '127.70.9.9';
    await send(uplink, [translation('10.5.50.20', 53_000)]);
    await until(async () => (await quarantined(uplink))?.lines === 1);
    const trusted = await api.post(`panel/device/${device.id}/log-sources`, {
      token: admin,
      body: { address: uplink },
    });
    expect(trusted.status, trusted.text).toBe(201);
    expect(await quarantined(uplink)).toBeUndefined();
    await until(async () => {
      await send(uplink, [translation('10.5.50.20', 53_001)]);
      return stored().includes(`${uplink},udp,operator`);
    });
    await until(async () => (await ask(53_001)).length === 1);
    expect((await ask(53_001))[0]).toMatchObject({ tie: 'translation', proof: 'operator', certain: false });
    expect((await ask(53_000)).filter(match => match.tie === 'translation')).toEqual([]);
    const { body } = await api.get('panel/audit?subject_type=log-source', { token: admin });
    expect(body.data[0]).toMatchObject({ verb: 'create', after: { address: uplink } });
    const gone = await api.delete(`panel/device/${device.id}/log-sources/${trusted.body.data.id}`, { token: admin });
    expect(gone.status).toBe(204);
    await until(async () => {
      await send(uplink, [translation('10.5.50.20', 53_002)]);
      return (await quarantined(uplink)) !== undefined;
    });
  });

  test('needs a valid address and a network that is not too large', async () => {
    for (const address of ['', 'hotel', '0.0.0.0/0', '10.0.0.0/8', '2001:db8::/32']) {
      const refused = await api.post(`panel/device/${device.id}/log-sources`, { token: admin, body: { address } });
      expect(refused.status, address).toBe(422);
      expect(Object.keys(refused.body.errors)).toEqual(['address']);
    }
    for (const [address, kept] of [
      ['203.0.113.7/24', '203.0.113.0/24'],
      ['2001:DB8::1', '2001:db8::1'],
    ]) {
      const taken = await api.post(`panel/device/${device.id}/log-sources`, { token: admin, body: { address } });
      expect(taken.body.data.address).toBe(kept);
    }
  });
});

describe('an address that a device proved', () => {
  test('expires an hour after the device proved another one, or a day after its last proof', async () => {
    const other = `127.2.${hotels}.1`;
    await prove(other);
    const ends = async (address: string) =>
      Date.parse((await sources()).trusted.find((row: Body) => row.address === address).expires_at) - Date.now();
    expect(await ends(router)).toBeLessThanOrEqual(3_600_000);
    expect(await ends(other)).toBeGreaterThan(23 * 3_600_000);
    await api.inTenant(tx => tx.run(sql`update log_sources set expires_at = now() where network = ${router}::inet`));
    await syslog.stop();
    syslog = await startLogs();
    await send(router, [translation('10.5.50.21', 54_000)]);
    await until(async () => (await quarantined(router)) !== undefined);
    expect(stored()).not.toContain(':54000');
  });
});
