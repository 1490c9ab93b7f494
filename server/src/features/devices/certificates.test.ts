import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { attribute, code } from '@portico/radius/attributes.ts';
import { integer, text } from '@portico/radius/encode.ts';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { ayse, startRadiusVenue } from '#test/radius-venue.ts';
import { openRadsecClient, requestOf } from '#test/radsec-client.ts';
import { radsecOptions } from '../../services/radsec.ts';
import { notifyExpiring } from './certificates.jobs.ts';

const { api, token, location_id, radius, addDevice } = await startRadiusVenue({
  PUBLIC_URL: 'https://{tenant}.wifi.example',
});

async function add(slug?: string) {
  const device = await addDevice(slug);
  return { ...device, at: `panel/device/${device.id}/certificates` };
}
const issue = async (at: string, body: object = { name: 'Yönlendirici' }) => {
  const answer = await api.post(at, { token, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const listed = async (at: string) => (await api.get(at, { token })).body.data;
const dial = (it: { certificate: string; private_key: string; authority: string }) =>
  openRadsecClient(radius.radsecPort ?? 0, { cert: it.certificate, key: it.private_key, ca: it.authority });
const signsIn = (id: number) => requestOf({ id, user: ayse.username, password: ayse.password });

test('a certificate is issued with the right contents, and its key is returned once', async () => {
  const device = await add();
  const made = await issue(device.at, { name: 'Yönlendirici', days: 90 });
  const certificate = new X509Certificate(made.certificate);
  const authority = new X509Certificate(made.authority);
  expect(certificate.checkPrivateKey(createPrivateKey(made.private_key))).toBe(true);
  expect(certificate.verify(createPublicKey(authority.publicKey.export({ type: 'spki', format: 'pem' })))).toBe(true);
  expect(certificate.checkIssued(authority)).toBe(true);
  expect([authority.ca, certificate.ca]).toEqual([true, false]);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(certificate.subject).toContain(`CN=${device.nas_identifier}`);
  expect(made).toMatchObject({ fingerprint: certificate.fingerprint256, serial: certificate.serialNumber });
  const days = (Date.parse(certificate.validTo) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(89);
  expect(days).toBeLessThanOrEqual(90);

  const [shown] = await listed(device.at);
  const { certificate: _pem, private_key: _key, authority: _authority, ...rest } = made;
  expect(shown).toEqual(rest);
  expect(shown).toMatchObject({ name: 'Yönlendirici', state: 'valid', revoked_at: null, last_seen_at: null });
  // The private key is not in the database. The key of the authority is, encrypted.
  const { rows } = await api.app.db.pool.query(
    'select row_to_json(c)::text as kept from device_certificates c union all select row_to_json(a)::text from radsec_authority a union all select row_to_json(l)::text from audit_log l',
  );
  const kept = rows.map(row => row.kept).join();
  expect(kept).not.toContain('PRIVATE KEY');
  expect(kept).not.toContain(made.private_key.split('\n')[1]);
  expect((await issue(device.at)).authority).toBe(made.authority);
});

test('a device connects with its certificate; revoking it ends the connection and prevents new ones', async () => {
  const device = await add();
  const [made, spare] = [await issue(device.at), await issue(device.at, { name: 'Yedek' })];
  const router = await dial(made);
  const other = await dial(spare);
  expect((await router.ask(signsIn(1)))?.code).toBe(code['Access-Accept']);
  expect((await other.ask(signsIn(1)))?.code).toBe(code['Access-Accept']);
  const start = [integer(attribute['Acct-Status-Type'], 1), text(attribute['Acct-Session-Id'], 'tls-1')];
  const accounting = requestOf({ code: code['Accounting-Request'], id: 2, user: 'ayse', more: start });
  expect((await router.ask(accounting))?.code).toBe(code['Accounting-Response']);
  // The latest packet of a device is stored shortly after its answer.
  const shown = async () => (await api.get(`panel/device/${device.id}`, { token })).body.data;
  await expect.poll(shown).toMatchObject({ status: 'online', radius: { radsec_port: radius.radsecPort } });

  const revoked = await api.post(`${device.at}/${made.id}/revoke`, { token });
  expect(revoked.body.data).toMatchObject({ id: made.id, state: 'revoked', revoked_at: expect.any(String) });
  await router.ended();
  await (await dial(made)).ended();
  expect((await other.ask(signsIn(2)))?.code).toBe(code['Access-Accept']);
  expect((await api.post(`${device.at}/${made.id}/revoke`, { token })).body.data).toEqual(revoked.body.data);

  const { rows } = await api.app.db.pool.query(
    `select verb from audit_log where subject_type = 'device-certificate' and subject_id = $1 order by id`,
    [made.id],
  );
  expect(rows.map(row => row.verb)).toEqual(['create', 'revoke']);
  // Deleting a device deletes its certificates and ends its connections.
  expect((await api.delete(`panel/device/${device.id}`, { token })).status).toBe(204);
  await other.ended();
});

test('the certificate of the server contains the host that devices connect to', async () => {
  const device = await add();
  const made = await issue(device.at);
  const router = await dial(made);
  const shown = router.socket.getPeerX509Certificate();
  expect(shown?.checkHost(device.radius.host)).toBe('*.wifi.example');
  expect(shown?.checkIssued(new X509Certificate(made.authority))).toBe(true);
  router.close();
  const settings = { ...api.app.settings, RADSEC_HOSTS: ['203.0.113.7', 'radius.wifi.example', '2001:db8::7'] };
  const named = new X509Certificate((await radsecOptions({ ...api.app, settings }))?.cert ?? '');
  expect(named.subjectAltName).toBe('IP Address:203.0.113.7, DNS:radius.wifi.example, IP Address:2001:DB8:0:0:0:0:0:7');
});

test('an expired certificate is listed as expired and refused', async () => {
  const device = await add();
  const made = await issue(device.at);
  await api.inTenant(tx => tx.run(sql`update device_certificates set expires_at = now() where id = ${made.id}`));
  expect(await listed(device.at)).toMatchObject([{ state: 'expired' }]);
  await (await dial(made)).ended();
});

test('a device may have ten valid certificates; expired and revoked ones do not count', async () => {
  const device = await add();
  const made = await Promise.all(Array.from({ length: 12 }, () => api.post(device.at, { token, body: { name: 'x' } })));
  expect(made.filter(it => it.status === 201)).toHaveLength(10);
  const refused = made.find(it => it.status !== 201);
  expect(refused).toMatchObject({ status: 409, body: { code: 'certificates_enough' } });
  const [{ id }] = await listed(device.at);
  await api.post(`${device.at}/${id}/revoke`, { token });
  await issue(device.at);
});

test('a bad name or end date is refused at its field', async () => {
  const device = await add();
  for (const [body, field] of [
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x', days: 0 }, 'days'],
    [{ name: 'x', days: 3651 }, 'days'],
    [{ name: 'x', days: 1.5 }, 'days'],
  ] as const) {
    const answer = await api.post(device.at, { token, body });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  }
  expect(await listed(device.at)).toEqual([]);
  // A controller takes neither RADIUS nor log lines over TLS; a Firebox sends its lines over TLS.
  for (const [brand, status] of [
    ['unifi', 404],
    ['watchguard', 201],
  ] as const)
    expect((await api.post((await add(brand)).at, { token, body: { name: 'x' } })).status, brand).toBe(status);
});

test('another device, location or tenant, and members without the permission, are refused', async () => {
  const [device, other] = [await add(), await add()];
  const { id } = await issue(device.at);
  const reader = await api.user('member', { location: location_id, permissions: ['view-devices'] });
  const limited = await api.user('member', { location: location_id, deviceIds: [other.id] });
  await api.tenantId('komsu');
  const foreigner = await api.user('tenant-admin', { tenant: 'komsu' });
  expect((await api.get(device.at, { token: reader.token })).status).toBe(200);
  const tries = [
    [{ token: reader.token }, 403],
    [{ token: limited.token }, 404],
    [{ token: foreigner.token, tenant: 'komsu' }, 404],
  ] as const;
  for (const [who, status] of tries) {
    expect((await api.post(device.at, { ...who, body: { name: 'x' } })).status).toBe(status);
    expect((await api.post(`${device.at}/${id}/revoke`, who)).status).toBe(status);
  }
  expect((await api.post(`${other.at}/${id}/revoke`, { token })).status).toBe(404);
  expect(await listed(device.at)).toMatchObject([{ id, state: 'valid' }]);
});

test('a month before the end, users who can issue certificates are notified once, unless a longer one is in use', async () => {
  const [device, renewed] = [await add(), await add()];
  const ending = await issue(device.at, { name: 'Biten', days: 20 });
  await issue(device.at, { name: 'Uzun', days: 400 });
  await issue(renewed.at, { name: 'Eski', days: 20 });
  const used = await issue(renewed.at, { name: 'Kullanılan', days: 400 });
  await (await dial(used)).ask(signsIn(1));
  // Its use is stored shortly after the answer.
  const seen = async () => (await listed(renewed.at)).find((it: { id: string }) => it.id === used.id).last_seen_at;
  await expect.poll(seen).not.toBeNull();
  const { token: keeper } = await api.user('member', {
    location: location_id,
    permissions: ['view-devices', 'update-devices'],
  });
  const { token: reader } = await api.user('member', { location: location_id, permissions: ['view-devices'] });
  const connection = { type: 'webhook', url: 'https://example.com/', events: ['certificate.ending'] };
  const hook = { name: 'CRM', location_id, integration_id: 'webhook', params: { connection } };
  expect((await api.post('panel/integration', { token, body: hook })).status).toBe(201);
  await notifyExpiring(api.app);
  await notifyExpiring(api.app);
  const events = await api.inTenant(tx => tx.many<{ body: string }>(sql`select body from webhook_deliveries`));
  expect(events.map(it => JSON.parse(it.body).data)).toEqual([
    { id: ending.id, location_id, device_id: device.id, name: 'Biten', days: 20 },
  ]);
  const notifiedOf = async (who: string) =>
    (await api.get('panel/notification', { token: who, language: 'tr' })).body.data.filter(
      (it: { kind: string }) => it.kind === 'certificate_ending',
    );
  expect(await notifiedOf(keeper)).toMatchObject([
    {
      title: `${device.name} cihazının bir sertifikası bitiyor`,
      device_id: device.id,
      data: { certificate: ending.name, days: 20 },
    },
  ]);
  expect(await notifiedOf(reader)).toEqual([]);
});

test('without RadSec no certificate is issued; with the operator’s own certificate, devices get its host name', async () => {
  const device = await add();
  const other = await issue(device.at);
  const folder = api.app.settings.DATA_DIR;
  const [cert, key] = [path.join(folder, 'own.pem'), path.join(folder, 'own.key')];
  writeFileSync(cert, other.certificate + other.authority);
  writeFileSync(key, other.private_key);
  const { settings } = api.app;
  const set = (more: object) => Object.assign(api.app, { settings: { ...settings, ...more } });
  try {
    set({ RADSEC_TLS_CERT: cert, RADSEC_TLS_KEY: key });
    expect((await issue(device.at)).authority).toBe(other.authority);
    writeFileSync(cert, other.certificate);
    expect((await issue(device.at)).authority).toBe(other.certificate);
    set({ RADSEC_PORT: 0 });
    expect(await api.post(device.at, { token, body: { name: 'x' } })).toMatchObject({
      status: 409,
      body: { code: 'radsec_off' },
    });
    expect((await api.get(`panel/device/${device.id}`, { token })).body.data.radius.radsec_port).toBeNull();
    // For log lines the same certificate serves, unless the installation has an authority of its own.
    const syslog = async () => (await api.get(`panel/device/${device.id}`, { token })).body.data.syslog;
    const shown = { host: 'panel.wifi.example', port: settings.SYSLOG_PORT };
    expect(await syslog()).toEqual({ ...shown, tls_port: null });
    set({ RADSEC_PORT: 0, SYSLOG_TLS_PORT: 6514 });
    expect(await syslog()).toEqual({ ...shown, tls_port: 6514 });
    expect((await issue(device.at)).certificate).toContain('BEGIN CERTIFICATE');
    set({ SYSLOG_TLS_PORT: 6514, SYSLOG_TLS_CA: cert });
    expect(await syslog()).toEqual({ ...shown, tls_port: null });
  } finally {
    set({});
  }
});
