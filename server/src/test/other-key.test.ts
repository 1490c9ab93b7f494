import { startRouter } from '@portico/simulator/router.ts';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownGateway, ownMail } from '#features/integrations/public.ts';
import { sendDeliveries } from '#features/integrations/webhook/webhook.jobs.ts';
import { createSecrets } from '#lib/secrets.ts';
import { sendMails } from '#mail/mail.jobs.ts';
import { queueMail } from '#mail/outbox.ts';
import { sendMessages } from '#sms/sms.jobs.ts';
import type { Body } from './harness.ts';
import { ayse, startRadiusVenue } from './radius-venue.ts';

/** Data encrypted with another SECRET_KEY is reported, does not affect other data, and works after it is entered again. */

const { api, token, location_id, radius, addDevice } = await startRadiusVenue({ INTEGRATIONS_INSIDE: '1' });
const other = createSecrets('the key that this database had before');

/** Encrypts with another key, as before a change of SECRET_KEY. */
async function storeUnderOther(table: string, column: string, id: string): Promise<void> {
  await api.inTenant(async tx => {
    const [of, named] = [sql([`"${column}"`]), sql([`"${table}"`])];
    const row = await tx.one<{ kept: string }>(sql`select ${of} as kept from ${named} where id = ${id}`);
    const kept = other.encrypt(api.app.secrets.decrypt(row.kept));
    await tx.run(sql`update ${named} set ${of} = ${kept} where id = ${id}`);
  });
}

const smtp = {
  ...{ type: 'smtp', host: '127.0.0.1', port: 1, security: 'none', username: 'otel', password: 'parola' },
  ...{ from_name: 'Otel', from_address: 'wifi@otel.example' },
};
const gateway = { type: 'netgsm', username: 'hesap', password: 'gizli', sender: 'KAFE' };
const webhook = { type: 'webhook', url: 'http://127.0.0.1:1/hook', events: ['guest.online'] };

describe('an integration', () => {
  const made: Record<string, string> = {};
  const words = /SECRET_KEY/;
  beforeAll(async () => {
    for (const connection of [gateway, webhook]) {
      const body = { name: 'Eski', location_id, integration_id: connection.type, params: { connection } };
      const answer = await api.post('panel/integration', { token, body });
      expect(answer.status, answer.text).toBe(201);
      made[connection.type] = answer.body.data.id;
    }
    // The API stores only mail servers that answer, so this one is inserted directly.
    const rows = await api.inTenant(tx =>
      tx.many<{ id: string }>(sql`insert into integrations (id, location_id, kind, name, connection)
        values (new_id(), ${location_id}, 'smtp', 'Posta', ${other.encrypt(JSON.stringify(smtp))}) returning id`),
    );
    made['smtp'] = rows[0]!.id;
    for (const kind of ['netgsm', 'webhook']) await storeUnderOther('integrations', 'connection', made[kind]!);
  });
  const shown = async (kind: string, language: 'tr' | 'en' = 'en'): Promise<Body> =>
    (await api.get(`panel/integration/${made[kind]}`, { token, language })).body.data;

  test('is listed with the problem in the caller’s language, and keeps its name', async () => {
    for (const language of ['tr', 'en'] as const) {
      const { status, body } = await api.get('panel/integration', { token, language });
      expect(status).toBe(200);
      expect(body.data).toHaveLength(3);
      for (const it of body.data) {
        expect(it.params.connection).toBeNull();
        expect(it.last_error).toBe(
          language === 'tr'
            ? 'SECRET_KEY değiştiği için kayıtlı bağlantı okunamıyor: bağlantıyı parolasıyla birlikte yeniden girin'
            : 'The stored connection cannot be read because SECRET_KEY has changed: enter it again, with its password',
        );
      }
    }
    const named = await api.put(`panel/integration/${made['netgsm']}`, { token, body: { name: 'Yeni ad' } });
    expect([named.status, named.body.data.name]).toEqual([200, 'Yeni ad']);
  });

  test('of SMS, mail or a webhook fails with a clear message, and its managers are notified', async () => {
    await api.inTenant(async tx => {
      const data = api.app.secrets.encrypt(JSON.stringify({ to: '+905321112233', text: 'x' }));
      await tx.run(
        sql`insert into sms_messages (id, location_id, phone_hash, data) values (new_id(), ${location_id}, '\\x00', ${data})`,
      );
      await queueMail(tx, api.app, {
        ...{ to: 'ada@example.com', language: 'tr', template: 'confirm_email', locationId: location_id },
        data: { name: 'Ada', link: 'https://example.com/', hours: 72 },
      });
      await tx.run(
        sql`select queue_webhook_event(current_tenant(), ${location_id}::uuid, 'guest.online', '{}'::jsonb)`,
      );
    });
    await sendMessages(api.app, ownGateway);
    await sendMails(api.app, ownMail);
    for (let times = 0; times < 3; times += 1) {
      await api.inTenant(tx => tx.run(sql`update webhook_deliveries set next_at = now()`));
      await sendDeliveries(api.app);
    }
    const notified = (await api.get('panel/notification?per_page=100', { token })).body.data.filter(
      (it: { kind: string }) => it.kind === 'integration_failing',
    );
    expect(notified.map((it: { title: string }) => it.title).sort()).toEqual([
      'The integration Eski is failing',
      'The integration Posta is failing',
      'The integration Yeni ad is failing',
    ]);
    for (const it of notified) expect(it.body).toMatch(words);
    const [delivery] = (await api.get(`panel/integration/${made['webhook']}/deliveries`, { token })).body.data;
    expect(delivery.error).toMatch(words);
  });

  test('works after its secret is entered again', async () => {
    const { password: _, ...without } = gateway;
    const put = (kind: string, connection: Body) =>
      api.put(`panel/integration/${made[kind]}`, { token, body: { name: 'Yeni', params: { connection } } });
    const refused = await put('netgsm', without);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['params.connection.password']]);
    const kept = await put('netgsm', gateway);
    expect(kept.status, kept.text).toBe(200);
    expect((await shown('netgsm')).params.connection).toEqual({ ...without });
    const early = await api.post(`panel/integration/${made['webhook']}/secret`, { token, language: 'tr' });
    expect([early.status, early.body.code]).toEqual([409, 'stored_unreadable']);
    expect((await put('webhook', webhook)).status).toBe(200);
    const renewed = await api.post(`panel/integration/${made['webhook']}/secret`, { token });
    expect(renewed.body.data.secret).toMatch(/^whsec_/);
    expect((await api.delete(`panel/integration/${made['smtp']}`, { token })).status).toBe(204);
  });
});

test('unreadable mails and SMS fail; the others are sent', async () => {
  const mail = (to: string) =>
    api.inTenant(tx =>
      queueMail(tx, api.app, {
        ...{ to, language: 'tr' as const, template: 'confirm_email' as const },
        data: { name: 'Ada', link: 'https://example.com/', hours: 72 },
      }),
    );
  await mail('old@example.com');
  await api.inTenant(tx =>
    tx.run(sql`update outbox_mails set data = ${other.encrypt('{}')} where address = 'old@example.com'`),
  );
  await mail('new@example.com');
  await sendMails(api.app, ownMail);
  const rows = await api.inTenant(tx =>
    tx.many<{ address: string; state: string }>(
      sql`select address, state from outbox_mails where address in ('old@example.com', 'new@example.com') order by 1`,
    ),
  );
  expect(rows).toEqual([
    { address: 'new@example.com', state: 'sent' },
    { address: 'old@example.com', state: 'failed' },
  ]);
});

const routers: { close: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const router of routers) await router.close();
});
async function routerOf({ nas_identifier: nasIdentifier }: Body, secret: string) {
  const address = `127.32.0.${routers.length + 1}`;
  const at = { host: '127.0.0.1', authPort: radius.authPort, acctPort: radius.acctPort };
  const router = await startRouter({ nasIdentifier, secret, address, coaPort: 3799, timeoutMs: 1500, radius: at });
  routers.push(router);
  return router;
}

describe('a visitor', () => {
  const add = async (body: Body): Promise<string> =>
    (await api.post('panel/client', { token, body: { location_id, name: 'Eski', ...body } })).body.data.id;

  test('is listed, shown and changed; its password works again once it is set', async () => {
    const username = `eski${routers.length}`;
    const id = await add({ provider_type: 'username', username, password: 'eski parola' });
    const born = { birth_day: 1, birth_month: 2, birth_year: 1990 };
    const citizen = await add({ provider_type: 'citizen-id', provider_id: '10000000146', ...born });
    await storeUnderOther('visitors', 'password', id);
    for (const column of ['citizen_id', 'birth_date']) await storeUnderOther('visitors', column, citizen);
    const list = await api.get('panel/client?per_page=100', { token });
    expect(list.status).toBe(200);
    expect(list.body.data.map((it: Body) => it.id)).toEqual(expect.arrayContaining([id, citizen]));
    expect((await api.get(`panel/client/${id}`, { token })).body.data).toMatchObject({
      password: null,
      sign_in_url: null,
    });
    expect((await api.get(`panel/client/${citizen}`, { token })).body.data).toMatchObject({
      idNumber: null,
      birth_date: null,
    });

    const device = await addDevice();
    const router = await routerOf(device, device.secret);
    const signIn = (mac: string, name: string, password: string) =>
      router.signIn(router.lease({ mac }), name, password);
    expect((await signIn('02:00:00:00:07:01', username, 'eski parola')).outcome).toBe('rejected');
    expect((await signIn('02:00:00:00:07:02', ayse.username, ayse.password)).outcome).toBe('accepted');
    const changed = await api.put(`panel/client/${id}`, {
      token,
      body: { name: 'Eski', provider_type: 'username', username, password: 'yeni parola' },
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await signIn('02:00:00:00:07:03', username, 'yeni parola')).outcome).toBe('accepted');
  });
});

describe('a device', () => {
  const of = (id: string, more = '') => `panel/device/${id}${more}`;
  const script = {
    ...{ gateway_interface: 'ether1', gateway_ip: '192.168.1.1', hotspot_address: '10.5.50.1' },
    ...{ hotspot_subnet: '10.5.50.0/24', guestInterfaces: ['ether2'] },
  };

  test('is shown without its secret; a new secret and connection can be set', async () => {
    const { id } = await addDevice();
    const connection = { host: '203.0.113.9', port: 443, username: 'portico', password: 'yönlendirici' };
    expect((await api.put(of(id), { token, body: { connection } })).status).toBe(200);
    for (const column of ['secret', 'connection']) await storeUnderOther('devices', column, id);
    const shown = (await api.get(of(id), { token })).body.data;
    expect(shown).toMatchObject({ secret_unreadable: true, connection: null });
    expect(shown).not.toHaveProperty('secret');
    const refused = await api.post(`panel/device/mikrotik/script/${id}`, { token, body: script, language: 'tr' });
    expect([refused.status, refused.body.code]).toEqual([409, 'secret_unreadable']);
    expect(refused.body.message).toContain('yeni bir gizli anahtar');

    const renewed = await api.post(of(id, '/secret'), { token });
    expect(renewed.status, renewed.text).toBe(200);
    expect(renewed.body.data.secret).toMatch(/^\w{32}$/);
    expect(renewed.body.data).not.toHaveProperty('secret_unreadable');
    const made = await api.post(`panel/device/mikrotik/script/${id}`, { token, body: script });
    expect(made.text).toContain(renewed.body.data.secret);
    const kept = await api.put(of(id), { token, body: { connection } });
    expect(kept.body.data.connection).toMatchObject({ host: '203.0.113.9', has_password: true });
  });

  test('with a new secret accepts only packets with the new one', async () => {
    const device = await addDevice();
    const old = await routerOf(device, device.secret);
    const signIn = (router: typeof old, mac: string) =>
      router.signIn(router.lease({ mac }), ayse.username, ayse.password);
    expect((await signIn(old, '02:00:00:00:08:01')).outcome).toBe('accepted');
    const { secret } = (await api.post(of(device.id, '/secret'), { token })).body.data;
    expect(secret).not.toBe(device.secret);
    const now = await routerOf(device, secret);
    await expect.poll(async () => (await signIn(now, '02:00:00:00:08:02')).outcome).toBe('accepted');
    expect((await signIn(old, '02:00:00:00:08:03').catch(() => ({ outcome: 'silent' }))).outcome).not.toBe('accepted');
    const [entry] = (await api.get(`panel/audit?subject_type=device&subject_id=${device.id}&verb=update`, { token }))
      .body.data;
    expect(entry).toMatchObject({ verb: 'update', subject: { id: device.id } });
    expect(JSON.stringify(entry)).not.toContain(secret);
  });

  test('shows its secret only to users who may change it', async () => {
    const { id } = await addDevice();
    const viewer = await api.user('member', { location: location_id, permissions: ['view-devices'] });
    const stranger = await api.user('reseller');
    expect((await api.post(of(id, '/secret'), {})).status).toBe(401);
    expect((await api.post(of(id, '/secret'), { token: viewer.token })).status).toBe(403);
    expect((await api.post(of(id, '/secret'), { token: stranger.token })).status).toBe(404);
  });
});

test('the error of a second factor names who can disable it', async () => {
  const user = await api.user('member', { location: location_id });
  await api.inTenant(tx =>
    tx.run(
      sql`update users set totp_enabled = true, totp_secret = ${other.encrypt('JBSWY3DPEHPK3PXP')} where id = ${user.id}`,
    ),
  );
  const body = { email: user.email, password: 'secret1', code: '123456' };
  const answer = await api.post('user/login', { body, language: 'tr' });
  expect([answer.status, answer.body.code]).toEqual([409, 'two_factor_unreadable']);
  expect(answer.body.message).toContain('--drop-two-factor');
});

test('the signing key of the tenant’s reports is replaced', async () => {
  const certificate = () => api.get('panel/reports/who-was-it/certificate', { token });
  const before = await certificate();
  expect(before.status, before.text).toBe(200);
  expect((await certificate()).text).toBe(before.text);
  await api.inTenant(tx => tx.run(sql`update signing_keys set private_key = ${other.encrypt('x')}`));
  const both = await Promise.all([certificate(), certificate()]);
  expect(both.map(it => it.status)).toEqual([200, 200]);
  expect(both[0]!.text).not.toBe(before.text);
  expect(both[0]!.text).toBe(both[1]!.text);
});
