import { connect } from 'node:net';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { makeDevice } from '#features/logs/testing/fixture.ts';
import { startSyslog } from '../../services/syslog.ts';
import { type Body, startApi } from '../harness.ts';

// The attack: a router, or a stranger who sends lines from its address, reports a petabyte in each line. The sum of a few thousand
// lines fitted no column. The lines of all tenants were counted together, so none was counted any more, and no day was sealed.
const api = await startApi({ UDP_HOST: '127.0.0.1' });
const { token } = await api.user('tenant-admin');
const everLonger = { timeout: 120_000 };

const linesOf = (id: string, tenant: string): Promise<number> =>
  api.inTenant(
    async tx =>
      (await tx.one<{ n: number }>(sql`select coalesce(sum(lines), 0) as n from log_files where device_id = ${id}`)).n,
    tenant,
  );

async function start() {
  const syslog = await startSyslog(api.app, { port: 0, gatherMs: 50, lookAgainMs: 100 });
  onTestFinished(() => syslog.stop());
  return (lines: readonly string[], from: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: syslog.port, host: '127.0.0.1', localAddress: from });
      socket.on('error', reject).on('close', () => resolve());
      socket.resume().end(lines.map(line => `${line}\n`).join(''));
    });
}

const sophos = (nas: string, bytes: string) =>
  `<30>device="SFW" date=2026-10-21 time=09:30:00 timezone="+03" device_name="${nas}" log_type="Firewall" log_component="Firewall Rule" log_subtype="Allowed" src_ip=10.5.50.20 dst_ip=198.51.100.9 protocol="TCP" src_port=5 dst_port=8443 domain=example.com dst_country=TUR sent_bytes=${bytes} recv_bytes=${bytes}`;
const visit = (nas: string, host: string) =>
  `<134>Oct 21 09:30:00 ${nas} 10.5.50.9 GET http://${host}/x  action=allow cache=MISS`;

test('lines with impossible counts of bytes are counted, and do not keep those of others waiting', async () => {
  const liar = await makeDevice(api, { nas: 'petabyte1', brand: 'sophos', address: '127.0.0.1' });
  const other = await makeDevice(api, { nas: 'honest001', tenant: 'other', address: '127.0.0.2' });
  const send = await start();
  const lines = 10_000;
  await send(
    Array.from({ length: lines }, () => sophos(liar.nas, '999999999999999')),
    '127.0.0.1',
  );
  await expect.poll(() => linesOf(liar.id, 'panel'), everLonger).toBe(lines);
  await send([visit(other.nas, 'example.org')], '127.0.0.2');
  await expect.poll(() => linesOf(other.id, 'other'), everLonger).toBe(1);
  for (const kind of ['website', 'application', 'country']) {
    const answer = await api.get(`panel/device/${liar.id}/logs/popular_${kind}`, { token });
    expect(answer.status, answer.text).toBe(200);
    for (const row of answer.body.data as Body[])
      expect([row.recv, row.sent, row.total].every(Number.isSafeInteger), answer.text).toBe(true);
  }
});

test('counts of one device that the database refuses do not keep those of others waiting', async () => {
  const [bad, good] = [
    await makeDevice(api, { nas: 'refused01', address: '127.0.0.3' }),
    await makeDevice(api, { nas: 'counted01', tenant: 'other', address: '127.0.0.4' }),
  ];
  const allow = () => api.app.db.pool.query('alter table log_tops drop constraint if exists refused');
  await api.app.db.pool.query("alter table log_tops add constraint refused check (name <> 'refused.example')");
  onTestFinished(async () => void (await allow()));
  const send = await start();
  await send([visit(bad.nas, 'www.refused.example')], '127.0.0.3');
  await send([visit(good.nas, 'example.org')], '127.0.0.4');
  await expect.poll(() => linesOf(good.id, 'other'), everLonger).toBe(1);
  expect(await linesOf(bad.id, 'panel')).toBe(0);
  // They are read again, though none of this device was ever counted.
  await allow();
  await expect.poll(() => linesOf(bad.id, 'panel'), everLonger).toBe(1);
});
