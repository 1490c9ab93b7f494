import { type WebhookEvent, webhookEvents } from '@portico/contract/integration-names.ts';
import { webhookPayloads } from '@portico/contract/webhook-events.ts';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '#db/tenant.ts';
import { newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { notifyOfEndings } from '#features/licences/licences.jobs.ts';
import type { Body } from '#test/harness.ts';
import { reportFailure, reportRecovery } from './health.ts';
import { integrationJobs } from './integrations.jobs.ts';
import { IntegrationError } from './problems.ts';

let venue: Venue;
let webhook: string;

/** Every change is also in the audit log, which has its own test. */
const changes = webhookEvents.filter(it => it !== 'audit.recorded');
const hook = async (events: readonly string[], location = venue.location): Promise<string> => {
  const connection = { type: 'webhook', url: 'https://example.com/', events };
  const params = { connection };
  return (
    await venue.create('panel/integration', { name: 'CRM', location_id: location, integration_id: 'webhook', params })
  ).id;
};
/** The events that were queued for the webhook since the test began, oldest first. Checks each against the contract. */
const told = async (id = webhook): Promise<{ type: WebhookEvent; data: Body }[]> => {
  const rows = await venue.rows<{ body: string }>(
    sql`select body from webhook_deliveries where integration_id = ${id} order by created_at, id`,
  );
  return rows.map(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: WebhookEvent; data: Body };
    expect(webhookPayloads[type].data.strict().safeParse(data).error?.issues, body).toBeUndefined();
    return { type, data };
  });
};
const types = async (id = webhook) => (await told(id)).map(it => it.type);
const newVisitor = async (): Promise<string> => {
  const username = await venue.visitor();
  return (await venue.rows<{ id: string }>(sql`select id from visitors where username = ${username}`))[0]!.id;
};
const send = async (method: 'post' | 'put' | 'delete', at: string, body?: object) => {
  const answer = await venue.api[method](at, { token: venue.admin, ...(body && { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body?.data as Body;
};

beforeAll(async () => {
  venue = await startVenue();
  webhook = await hook(changes);
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(() => venue.run(sql`delete from webhook_deliveries`));

describe('a webhook is told of', () => {
  test('a visitor from its beginning to its end, and of its end by its id only', async () => {
    const form = { location_id: venue.location, provider_type: 'username', username: 'nil', password: 'gizli-1' };
    const { id } = await send('post', 'panel/client', { ...form, name: 'Nil' });
    await send('put', `panel/client/${id}`, { name: 'Nil Su', username: 'nilsu' });
    await send('put', `panel/client/${id}`, { name: 'Nil Su' });
    const [created, updated] = await told();
    expect(created).toMatchObject({ type: 'visitor.created', data: { id, name: 'Nil', location_id: venue.location } });
    expect(updated).toMatchObject({
      type: 'visitor.updated',
      data: { id, name: 'Nil Su', changed: ['name', 'username'] },
    });
    expect(JSON.stringify(await told())).not.toContain('nilsu');
    await send('delete', `panel/client/${id}`);
    expect(await told()).toEqual([{ type: 'visitor.deleted', data: { id, location_id: venue.location } }]);
  });

  test('a visitor whose identity is erased, once', async () => {
    const id = await newVisitor();
    await venue.run(sql`delete from webhook_deliveries`);
    await venue.run(sql`update visitors set name = '', username = null, erased_at = now() where id = ${id}`);
    await venue.run(sql`delete from visitors where id = ${id}`);
    expect(await told()).toEqual([{ type: 'visitor.deleted', data: { id, location_id: venue.location } }]);
  });

  test('a visitor whose access ended, once, and not of those before it asked', async () => {
    const job = integrationJobs.find(it => it.name === 'expired visitors')!;
    const later = () => venue.run(sql`update integrations set expired_until = now() - interval '10 minutes'`);
    const ends = (id: string, ago: string) =>
      venue.run(sql`update visitors set session_end_at = now() - ${ago}::interval where id = ${id}`);
    const [early, now, open, erased] = [await newVisitor(), await newVisitor(), await newVisitor(), await newVisitor()];
    await ends(early, '20 minutes');
    await ends(now, '5 minutes');
    await ends(open, '-5 minutes');
    await ends(erased, '5 minutes');
    await venue.run(sql`update visitors set erased_at = now() where id = ${erased}`);
    await venue.run(sql`delete from webhook_deliveries`);
    await later();
    for (let i = 0; i < 2; i++) await job.run(venue.api.app);
    const all = await told();
    expect(all.map(it => [it.type, it.data.id])).toEqual([['visitor.expired', now]]);
    const without = await hook(['guest.online']);
    await later();
    await venue.run(sql`update integrations set expired_until = now() where id = ${webhook}`);
    const connection = { type: 'webhook', url: 'https://example.com/', events: ['visitor.expired'] };
    await send('put', `panel/integration/${without}`, { params: { connection } });
    await job.run(venue.api.app);
    expect(await told(without)).toEqual([]);
  });

  test('a visitor whose access ended while the change was being made, once', async () => {
    const job = integrationJobs.find(it => it.name === 'expired visitors')!;
    const visitor = await newVisitor();
    const end = (to: string, meanwhile = async () => {}) =>
      venue.api.inTenant(async tx => {
        await tx.run(sql`update visitors set session_end_at = now() - ${to}::interval where id = ${visitor}`);
        await meanwhile();
      });
    const expired = async () =>
      (await told()).filter(it => it.type === 'visitor.expired' && it.data.id === visitor).map(it => it.data.id);
    await venue.run(sql`delete from webhook_deliveries`);
    await venue.run(sql`update integrations set expired_until = now() - interval '10 minutes'`);
    // The job goes beyond the new end before that is committed.
    await end('3 minutes', () => job.run(venue.api.app));
    expect(await expired()).toEqual([visitor]);
    await venue.run(sql`update integrations set expired_until = now() - interval '150 seconds'`);
    await job.run(venue.api.app);
    expect(await expired()).toEqual([visitor]);
    // It was over already, and that was told.
    await end('5 minutes');
    expect(await expired()).toEqual([visitor]);
    // A session that the job will find by itself is left to it.
    await end('-1 hour');
    await venue.run(sql`delete from webhook_deliveries`);
    await end('20 seconds');
    expect(await expired()).toEqual([]);
    await end('-1 hour');
    await end('2 days');
    expect(await expired(), 'long ago').toEqual([]);
  });

  test('session profiles, packages and portals, by what changed', async () => {
    const here = { location_id: venue.location };
    const paid_sale = { is_active: true, option: 'eur', value: 5 };
    const profile = await send('post', 'panel/location/user-profile', { name: 'Gün', ...here, paid_sale });
    await send('put', `panel/location/user-profile/${profile.id}`, { shared_user: 3 });
    const bought = { name: { en: 'Day' }, description: {}, price: 499, currency: 'eur', tax_rate: 2000, max_days: 7 };
    const made = await send('post', 'panel/package', { ...here, profile_id: profile.id, ...bought });
    await send('put', `panel/package/${made.id}`, { price: 599 });
    await send('delete', `panel/package/${made.id}`);
    const portal = await send('post', 'panel/portal', { name: 'Yaz', ...here });
    await send('put', `panel/portal/${portal.id}/draft`, { color_scheme: 'dark' });
    await send('put', `panel/portal/${portal.id}`, { name: 'Kış' });
    await send('delete', `panel/portal/${portal.id}`);
    await send('delete', `panel/location/user-profile/${profile.id}`);
    const all = await told();
    expect(all.map(it => it.type)).toEqual([
      'profile.created',
      'profile.updated',
      'package.created',
      'package.updated',
      'package.deleted',
      'portal.created',
      'portal.updated',
      'portal.deleted',
      'profile.deleted',
    ]);
    expect(all.flatMap(it => it.data.changed ?? [])).toEqual(['shared_user', 'price', 'name']);
    expect(all[7]!.data).toEqual({ id: portal.id, ...here });
  });

  test('a shared portal where it is shown', async () => {
    const portal = await send('post', 'panel/portal', { name: 'Ortak' });
    await venue.run(sql`update portals set location_id = null where id = ${portal.id}`);
    const before = await venue.rows(sql`select portal_id from locations where id = ${venue.location}`);
    await venue.run(sql`delete from webhook_deliveries`);
    await send('put', `panel/portal/${portal.id}`, { name: 'Ortak 2' });
    expect(await types()).toEqual([]);
    await send('put', `panel/location/${venue.location}`, { portal_id: portal.id });
    await send('put', `panel/portal/${portal.id}`, { name: 'Ortak 3' });
    expect(await types()).toEqual(['location.updated', 'portal.updated']);
    await send('put', `panel/location/${venue.location}`, before[0]!);
    // Shown by two networks of the location, so told once.
    for (const start_ip of ['10.77.1.0', '10.77.2.0']) {
      const network = { name: start_ip, start_ip, subnet: 24, portal_id: portal.id };
      await send('post', `panel/device/${venue.device.id}/network`, network);
    }
    await venue.run(sql`delete from webhook_deliveries`);
    await send('put', `panel/portal/${portal.id}`, { name: 'Ortak 4' });
    expect(await told()).toMatchObject([{ type: 'portal.updated', data: { location_id: venue.location } }]);
  });

  test('a shared portal that a location or a device shows at certain times', async () => {
    const portal = await send('post', 'panel/portal', { name: 'Akşam' });
    await venue.run(sql`update portals set location_id = null where id = ${portal.id}`);
    const portal_periods = [{ portal_id: portal.id, weekdays: [1] }];
    for (const at of [`panel/location/${venue.location}`, `panel/device/${venue.device.id}`]) {
      await send('put', at, { portal_periods });
      await venue.run(sql`delete from webhook_deliveries`);
      await send('put', `panel/portal/${portal.id}`, { name: `Akşam ${at}` });
      expect(await told(), at).toMatchObject([{ type: 'portal.updated', data: { location_id: venue.location } }]);
      await send('put', at, { portal_periods: [] });
    }
  });

  test('the end of a shared portal where it is shown', async () => {
    const before = await venue.rows(sql`select portal_id from locations where id = ${venue.location}`);
    const portal = await send('post', 'panel/portal', { name: 'Ortak' });
    await venue.run(sql`update portals set location_id = null where id = ${portal.id}`);
    await send('put', `panel/location/${venue.location}`, { portal_id: portal.id });
    await venue.run(sql`delete from webhook_deliveries`);
    await send('delete', `panel/portal/${portal.id}`);
    expect(await types()).toContain('portal.deleted');
    await send('put', `panel/location/${venue.location}`, before[0]!);
  });

  test('a device and where it goes, but not of its packets', async () => {
    const brand_id = (await venue.rows(sql`select id from brands where slug = 'mikrotik'`))[0]!['id'];
    const form = { location_id: venue.location, brand_id, name: 'Bahçe', mac_address: 'A1:B2:C3:D4:E5:77' };
    const { id } = await send('post', 'panel/device', form);
    await venue.run(sql`update devices set last_seen_at = now(), polled_at = now() where id = ${id}`);
    await send('put', `panel/device/${id}`, { name: 'Havuz' });
    const other = await venue.api.location(venue.admin, 'Öteki');
    const there = await hook(changes, other);
    await venue.run(sql`delete from webhook_deliveries where event like 'integration.%'`);
    await venue.run(sql`update devices set location_id = ${other} where id = ${id}`);
    expect(await types()).toEqual(['device.created', 'device.updated', 'device.deleted']);
    expect(await types(there)).toEqual(['device.created']);
    await send('delete', `panel/device/${id}`);
    expect(await types(there)).toEqual(['device.created', 'device.deleted']);
    await venue.run(sql`delete from locations where id = ${other}`);
    expect(await types(there)).toEqual([]);
  });

  test('vouchers and their batch', async () => {
    const profile = await send('post', 'panel/location/user-profile', { name: 'K', location_id: venue.location });
    await venue.run(sql`delete from webhook_deliveries`);
    const batch = await send('post', 'panel/voucher-batch', {
      name: 'Havuz',
      location_id: venue.location,
      profile_id: profile.id,
      count: 1,
      valid_for: { is_active: true, option: 'day', value: 1 },
      price: 250,
      currency: 'eur',
      at_desk: true,
    });
    await send('post', `panel/voucher-batch/${batch.id}/issue`, { count: 1 });
    await venue.offer({ slug: 'voucher' });
    const [card] = await send('post', `panel/voucher-batch/${batch.id}/cards`, {});
    await venue.run(sql`delete from webhook_deliveries where event like 'portal.%'`);
    const answer = await venue.submit({ method: 'voucher', voucher: card.code });
    expect(answer.status, answer.html).toBe(303);
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    await venue.routerAccepts(ticket);
    await send('post', `panel/voucher-batch/${batch.id}/revoke`, { all: true });
    const all = await types();
    expect(all.filter(it => it.startsWith('voucher'))).toEqual(
      expect.arrayContaining([
        'voucher_batch.created',
        'voucher.issued',
        'voucher_batch.updated',
        'voucher.redeemed',
        'voucher.revoked',
      ]),
    );
    expect(all.filter(it => it === 'voucher.redeemed')).toHaveLength(1);
    expect(all).toContain('sale.created');
    expect(JSON.stringify(await told())).not.toContain(card.code);
  });

  test('the states of a purchase, each once', async () => {
    const id = '00000000-0000-4000-8000-000000000077';
    await venue.run(sql`
      insert into purchases (id, location_id, provider, package, days, unit_price, amount, tax, tax_rate, currency, language, code, code_hash)
      values (${id}, ${venue.location}, 'stripe', 'Gün', 3, 500, 1500, 250, 2000, 'eur', 'tr', 'x', 'x')`);
    const be = (state: string, more = sql``) =>
      venue.run(sql`update purchases set state = ${state} ${more} where id = ${id}`);
    await be('failed');
    await be('refused');
    await be('paid', sql`, paid_at = now()`);
    await be('refunding');
    await be('paid');
    await be('refunded', sql`, refunded_at = now()`);
    await be('charged-back');
    expect(await types()).toEqual([
      'purchase.created',
      'purchase.failed',
      'purchase.refused',
      'purchase.paid',
      'purchase.refunded',
      'purchase.charged_back',
    ]);
  });

  test('charges to rooms and a finished import', async () => {
    await venue.run(sql`
      insert into room_charges (id, location_id, integration_id, key, reservation, amount, currency, words)
      values (gen_random_uuid(), ${venue.location}, ${webhook}, 'k', '1', 500, 'eur', 'Wi-Fi')`);
    await venue.run(sql`update room_charges set state = 'sent', sent_at = now()`);
    await venue.run(sql`update room_charges set state = 'refused', answer = 'NP', answered_at = now()`);
    await venue.run(sql`update room_charges set state = 'posted', answer = null`);
    await venue.run(sql`
      insert into visitor_imports (id, location_id, source, file_name, groups, findings, total)
      values (gen_random_uuid(), ${venue.location}, 'csv', 'a.csv', '[]', '{}', 3)`);
    await venue.run(sql`update visitor_imports set state = 'running', started_at = now()`);
    await venue.run(sql`update visitor_imports set created = 3`);
    await venue.run(sql`update visitor_imports set state = 'done', finished_at = now()`);
    const [waiting, ...all] = (await told()).map(it => [it.type, it.data.answer ?? it.data.created]);
    expect(waiting).toEqual(['room_charge.created', undefined]);
    expect(all.slice(0, 2)).toEqual([
      ['room_charge.refused', 'NP'],
      ['room_charge.posted', undefined],
    ]);
    // Events of one insert have no order.
    expect(all.slice(2, 5).sort()).toEqual([
      ['import.created', 0],
      ['import.read', 0],
      ['import.started', 0],
    ]);
    expect(all.slice(5)).toEqual([['import.finished', 3]]);
  });

  test('a file of past sessions that cannot be read, and its deletion', async () => {
    const id = '00000000-0000-4000-8000-000000000079';
    await venue.run(sql`
      insert into visitor_imports (id, location_id, source, file_name, state, groups, findings, total, bytes)
      values (${id}, ${venue.location}, 'sessions', 'radacct.sql', 'uploading', '[]', '{}', 0, 10)`);
    await venue.run(sql`update visitor_imports set state = 'reading' where id = ${id}`);
    await venue.run(sql`update visitor_imports set state = 'failed' where id = ${id}`);
    await venue.run(sql`delete from visitor_imports where id = ${id}`);
    const events = await told();
    expect(events.map(it => it.type)).toEqual(['import.created', 'import.failed', 'import.deleted']);
    expect(events.map(it => it.data.id)).toEqual([id, id, id]);
    expect(Object.keys(events[2]!.data).sort()).toEqual(['id', 'location_id']);
  });

  test('text messages with a masked number', async () => {
    const id = '00000000-0000-4000-8000-000000000078';
    await venue.run(sql`
      insert into sms_messages (id, location_id, phone_hash, data, recipient)
      values (${id}, ${venue.location}, 'hash', 'encrypted', '+90 555 *** ** 00')`);
    await venue.run(sql`update sms_messages set attempts = 1 where id = ${id}`);
    await venue.run(sql`update sms_messages set state = 'sent', sent_at = now() where id = ${id}`);
    await venue.run(sql`update sms_messages set state = 'delivered', delivered_at = now() where id = ${id}`);
    await venue.run(sql`update sms_messages set state = 'failed', problem = 'refused' where id = ${id}`);
    expect((await told()).map(it => [it.type, it.data.recipient])).toEqual(
      ['message.sent', 'message.delivered', 'message.failed'].map(it => [it, '+90 555 *** ** 00']),
    );
    expect(JSON.stringify(await told())).not.toContain('encrypted');
  });

  test('a log file when it is begun, sealed and erased, and not of each line', async () => {
    const own = (text: ReturnType<typeof sql>) => venue.api.app.db.withSystem(tx => tx.run(text));
    const [device] = await venue.rows<{ id: string; tenant_id: string }>(
      sql`select id, tenant_id from devices where location_id = ${venue.location} limit 1`,
    );
    await own(sql`
      insert into log_files (tenant_id, device_id, start_position, type, day, part, lines, bytes)
      values (${device!.tenant_id}, ${device!.id}, 990001, 'dhcp', '2026-11-19', 1, 1, 10)`);
    await own(sql`update log_files set lines = 2, bytes = 20 where start_position = 990001`);
    await own(sql`update log_files set sealed_at = now(), sha256 = 'abc' where start_position = 990001`);
    await own(sql`update log_files set problem = 'changed' where start_position = 990001`);
    await own(sql`update log_files set erased_at = now() where start_position = 990001`);
    expect((await told()).map(it => [it.type, it.data.changed])).toEqual([
      ['log_file.created', undefined],
      ['log_file.updated', ['sealed_at', 'sha256']],
      ['log_file.updated', ['problem']],
      ['log_file.deleted', undefined],
    ]);
  });

  test('entries of the audit log, without names and values', async () => {
    const audits = await hook(['audit.recorded']);
    await venue.run(sql`delete from webhook_deliveries`);
    const form = { location_id: venue.location, provider_type: 'username', username: 'naz', password: 'gizli-1' };
    const { id } = await send('post', 'panel/client', { ...form, name: 'Naz' });
    await send('put', `panel/client/${id}`, { name: 'Naz Su' });
    expect(await told(audits)).toMatchObject([
      { type: 'audit.recorded', data: { verb: 'create', subject_type: 'visitor', subject_id: id } },
      { type: 'audit.recorded', data: { verb: 'update', location_id: venue.location } },
    ]);
    expect(JSON.stringify(await told(audits))).not.toContain('Naz');
    await send('delete', `panel/integration/${audits}`);
  });

  test('its location, and its licence once per mark', async () => {
    await send('put', `panel/location/${venue.location}`, { time_limit: 4, time_limit_enabled: true });
    await venue.run(sql`update locations set sms_used = sms_used + 1 where id = ${venue.location}`);
    expect(await told()).toMatchObject([
      { type: 'location.updated', data: { id: venue.location, changed: ['time_limit', 'time_limit_enabled'] } },
    ]);
    const ends = (left: string) =>
      venue.run(sql`update locations set license_end_at = now() + ${left}::interval where id = ${venue.location}`);
    await ends('20 days');
    for (let i = 0; i < 2; i++) await notifyOfEndings(venue.api.app);
    await ends('-1 hours');
    for (let i = 0; i < 2; i++) await notifyOfEndings(venue.api.app);
    const all = (await told()).filter(it => it.type.startsWith('licence'));
    expect(all.map(it => [it.type, it.data.days])).toEqual([
      ['licence.expiring', 20],
      ['licence.expired', 0],
    ]);
    await ends('900 days');
  });
});

describe('a webhook is told once', () => {
  test('that an integration stops working, and that it works again', async () => {
    const menu = await hook(['guest.online']);
    const it = { id: menu, name: 'CRM', location_id: venue.location };
    await venue.run(sql`delete from webhook_deliveries`);
    const tenant = await venue.api.tenantId('panel');
    const inTenant = <T>(work: (tx: Tx) => Promise<T>) => venue.api.app.db.withTenant(tenant, work);
    const problem = new IntegrationError('timed_out', 'late');
    for (let i = 0; i < 2; i++) await inTenant(tx => reportFailure(tx, it, problem));
    for (let i = 0; i < 2; i++) await inTenant(tx => reportRecovery(tx, it));
    const shown = { id: menu, location_id: venue.location, name: 'CRM' };
    expect(await told()).toEqual([
      { type: 'integration.failing', data: { ...shown, reason: expect.stringMatching(/\w/) } },
      { type: 'integration.recovered', data: shown },
    ]);
    await send('delete', `panel/integration/${menu}`);
  });

  test('that text messages reach their limit', async () => {
    await venue.run(sql`update locations set sms_limit = 10, sms_used = 7 where id = ${venue.location}`);
    await venue.run(sql`delete from webhook_deliveries`);
    await venue.offer({ slug: 'sms' });
    for (const phone of ['+905321112233', '+905321112244']) {
      venue.newMac();
      await venue.submit({ method: 'sms', phone });
    }
    expect((await told()).filter(it => it.type === 'sms.limit')).toEqual([
      { type: 'sms.limit', data: { location_id: venue.location, percent: 80, used: 8, limit: 10 } },
    ]);
  });
});

describe('a webhook of the whole tenant', () => {
  const form = (events: readonly string[] = changes) => ({
    name: 'ERP',
    location_id: null,
    integration_id: 'webhook',
    params: { connection: { type: 'webhook', url: 'https://example.com/', events } },
  });

  test('is told of every location, from its beginning to its end', async () => {
    const wide = (await send('post', 'panel/integration', form())).id;
    await venue.run(sql`delete from webhook_deliveries`);
    const location = await venue.api.location(venue.admin, 'Yeni şube');
    await send('put', `panel/location/${location}`, { city: 'Bursa' });
    const profile = await send('post', 'panel/location/user-profile', { name: 'Gün', location_id: location });
    await send('delete', `panel/location/${location}`);
    // The location's objects are deleted with it, without events of their own.
    expect((await told(wide)).map(it => [it.type, it.data.location_id, it.data.id])).toEqual([
      ['location.created', location, location],
      ['location.updated', location, location],
      ['profile.created', location, profile.id],
      ['location.deleted', location, location],
    ]);
    expect(await types()).toEqual([]);
    await send('delete', `panel/integration/${wide}`);
  });

  test('is told of a sale at a location without a webhook', async () => {
    const wide = (await send('post', 'panel/integration', form(['sale.created']))).id;
    const location = await venue.api.location(venue.admin, 'Şube');
    const paid_sale = { is_active: true, option: 'try', value: 50 };
    const profile = await send('post', 'panel/location/user-profile', {
      name: 'Gün',
      location_id: location,
      paid_sale,
    });
    const guest = { name: 'Can', provider_type: 'username', username: 'can-sube', password: 'gizli-2' };
    await send('post', 'panel/client', { ...guest, location_id: location, profile_id: profile.id, total_paid_day: 3 });
    expect((await told(wide)).map(it => [it.type, it.data.location_id])).toEqual([['sale.created', location]]);
    await send('delete', `panel/integration/${wide}`);
  });

  test('is told once of what several locations show, of accounts, and of licences once per mark', async () => {
    const wide = (await send('post', 'panel/integration', form())).id;
    const portal = await send('post', 'panel/portal', { name: 'Ortak', location_id: venue.location });
    await venue.run(sql`update portals set location_id = null where id = ${portal.id}`);
    const [before] = await venue.rows(sql`select portal_id from locations where id = ${venue.location}`);
    await venue.run(sql`update locations set portal_id = ${portal.id} where id = ${venue.location}`);
    await venue.run(sql`delete from webhook_deliveries`);
    await send('put', `panel/portal/${portal.id}`, { name: 'Ortak 2' });
    const places = async (id?: string) => (await told(id)).map(it => [it.type, it.data.location_id]);
    expect(await places(wide)).toEqual([['portal.updated', null]]);
    expect(await places()).toEqual([['portal.updated', venue.location]]);
    await venue.run(sql`update locations set portal_id = ${before!['portal_id']} where id = ${venue.location}`);
    await venue.run(sql`delete from webhook_deliveries`);

    const { id } = await venue.api.user('reseller');
    expect((await told(wide)).map(it => [it.type, it.data.id])).toEqual([['user.created', id]]);
    expect(await types()).toEqual([]);

    await venue.run(sql`delete from webhook_deliveries`);
    const brand = { brand_name: 'Deniz', brand_long_name: 'Deniz Otelleri' };
    for (let i = 0; i < 2; i++) await send('post', 'panel/tenant', brand);
    const changes = await told(wide);
    expect(changes.map(it => [it.type, it.data.brand_name, it.data.changed])).toEqual([
      ['tenant.updated', 'Deniz', ['brand_long_name', 'brand_name']],
    ]);
    expect(await types()).toEqual([]);

    await venue.run(sql`update locations set license_end_at = now() + interval '20 days' where id = ${venue.location}`);
    await venue.run(sql`delete from webhook_deliveries`);
    for (let i = 0; i < 2; i++) await notifyOfEndings(venue.api.app);
    expect(await types(wide)).toEqual(['licence.expiring']);
    await venue.run(
      sql`update locations set license_end_at = now() + interval '900 days' where id = ${venue.location}`,
    );

    const visitor = await newVisitor();
    await venue.run(sql`update visitors set session_end_at = now() - interval '5 minutes' where id = ${visitor}`);
    await venue.run(sql`delete from webhook_deliveries`);
    await venue.run(sql`update integrations set expired_until = now() - interval '10 minutes'`);
    await integrationJobs.find(it => it.name === 'expired visitors')!.run(venue.api.app);
    const ends = (await told(wide)).filter(it => it.data.id === visitor);
    expect(ends.map(it => it.type)).toEqual(['visitor.expired']);
    await send('delete', `panel/integration/${wide}`);
  });

  test('belongs to tenant administrators alone, and is a webhook', async () => {
    const { api } = venue;
    const made = await send('post', 'panel/integration', form());
    const at = `panel/integration/${made.id}`;
    const reseller = (await api.user('reseller')).token;
    const member = (await api.user('member', { location: venue.location })).token;
    const body = { name: 'API', permissions: ['view-integrations', 'store-integrations', 'update-integrations'] };
    const personal = (await api.post('panel/user/token', { token: venue.admin, body })).body.data.token;
    for (const token of [reseller, member, personal]) {
      expect((await api.post('panel/integration', { token, body: form() })).status).toBe(403);
      expect([403, 404]).toContain((await api.put(at, { token, body: { name: 'Çalındı' } })).status);
      expect([403, 404]).toContain((await api.post(`${at}/secret`, { token })).status);
      expect([403, 404]).toContain((await api.delete(at, { token })).status);
    }
    for (const token of [reseller, member]) {
      expect((await api.get(at, { token })).status).toBe(404);
      expect((await api.get(`${at}/deliveries`, { token })).status).toBe(404);
      expect((await api.get('panel/integration', { token })).text).not.toContain(made.id);
    }
    const shown = (await api.get(at, { token: venue.admin })).body.data;
    expect([shown.name, shown.location_id, shown.location]).toEqual(['ERP', null, null]);
    const sms = { type: 'vonage', username: 'a', password: 'b', sender: 'KAFE' };
    const wrong = { name: 'SMS', location_id: null, integration_id: 'vonage', params: { connection: sms } };
    const refused = await api.post('panel/integration', { token: venue.admin, body: wrong });
    expect([refused.status, refused.body.errors]).toEqual([422, { location_id: [expect.any(String)] }]);
    await send('delete', at);
  });
});
