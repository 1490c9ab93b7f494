import { chosenKinds, noticeRules } from '@portico/contract/notice-kinds.ts';
import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { zoneAtNoon } from '#features/sessions/testing/scene.ts';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { mailDigests, mailNotices } from './mails.service.ts';
import { type Notice, notify } from './notifications.service.ts';

let api: TestApi;
let admin: { id: string; email: string; token: string };
beforeAll(async () => {
  api = await startApi();
  admin = await api.user('tenant-admin');
});

const at = 'panel/user/notification';
const put = (token: string, body: object) => api.put(at, { token, body });
const choose = async (token: string, body: object) => {
  const answer = await put(token, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
};
const send = (notice: Notice) => api.inTenant(tx => notify(tx, notice));
const offline = (location: string, device = 'Lobi', deviceId?: string): Notice => ({
  kind: 'device_offline',
  to: { location, deviceId },
  data: { device, location: 'Otel' },
  locationId: location,
  ...(deviceId ? { deviceId } : {}),
});
const kinds = async (token: string) =>
  (await api.get('panel/notification', { token })).body.data.map((n: { kind: string }) => n.kind);
const mails = async () => {
  await mailNotices(api.app);
  return takeMails(api.app);
};
/** Moves the clock by moving what the digest compares with it. */
const nextDay = (user: string) =>
  api.app.db.pool.query(
    `with a as (update notifications set created_at = created_at - interval '1 day' where user_id = $1)
     update notice_settings set digested_on = digested_on - 1 where user_id = $1`,
    [user],
  );

describe('the choices of a user', () => {
  test('are those of today until the user chooses', async () => {
    const { token } = await api.user('member', { location: await api.location(admin.token, 'Otel') });
    const { data } = (await api.get(at, { token })).body;
    expect(data).toMatchObject({ digest_hour: 8, time_zone: null, locations: [] });
    const mailed = data.choices.filter((it: { way: string }) => it.way === 'mail');
    expect(mailed.map((it: { kind: string }) => it.kind)).toEqual([
      'license_ending',
      'license_over',
      'invitation_accepted',
      'webhooks_left',
    ]);
    const all = (await api.get(at, { token: admin.token })).body.data.choices.map((it: { kind: string }) => it.kind);
    expect(all).toContain('domain_stopped');
    expect(data.choices.map((it: { kind: string }) => it.kind)).not.toContain('domain_stopped');
    const auditor = await api.user('auditor');
    expect((await api.get(at, { token: auditor.token })).body.data.choices).toEqual([]);
  });

  test('have the kinds of the caller’s permissions, the same that are sent', async () => {
    const location = await api.location(admin.token, 'Otel');
    const groups = [
      { permissions: ['view-clients'], kinds: [] },
      { permissions: ['view-basic-stats'], kinds: ['failed_sign_ins'] },
      { permissions: ['view-devices'], kinds: ['device_offline', 'device_online', 'commands_waiting', 'log_silence'] },
      { permissions: ['view-integrations'], kinds: ['webhooks_left'] },
    ] as const;
    for (const { permissions, kinds: expected } of groups) {
      const { token } = await api.user('member', { location, permissions });
      const offered = (await api.get(at, { token })).body.data.choices.map((it: { kind: string }) => it.kind);
      expect(offered, permissions[0]).toEqual(expected);
      for (const kind of chosenKinds.filter(it => !noticeRules[it].ofTenant))
        await send({ kind, to: { location }, data: { device: 'Lobi', location: 'Otel' }, locationId: location });
      expect(new Set(await kinds(token)), permissions[0]).toEqual(new Set(expected));
      const refused = chosenKinds.find(kind => !(expected as readonly string[]).includes(kind));
      const answer = await put(token, { choices: [{ kind: refused, way: 'off' }] });
      expect([answer.status, Object.keys(answer.body.errors)], permissions[0]).toEqual([422, ['choices']]);
    }
    const reseller = await api.user('reseller');
    const offered = (await api.get(at, { token: reseller.token })).body.data.choices;
    expect(offered.map((it: { kind: string }) => it.kind)).not.toContain('log_chain_broken');
    await mails();
  });

  test('of a kind that the member lost do not stop it from saving the others', async () => {
    const location = await api.location(admin.token, 'Otel');
    const { id, token } = await api.user('member', { location });
    await choose(token, { locations: [{ location_id: location, choices: [{ kind: 'device_online', way: 'off' }] }] });
    await api.inTenant(tx =>
      tx.run(sql`update location_members set permissions = array['view-basic-stats'] where user_id = ${id}`),
    );
    expect((await api.get(at, { token })).body.data.locations).toEqual([]);
    await choose(token, { choices: [{ kind: 'failed_sign_ins', way: 'off' }], locations: [] });
  });

  test('are kept, and a change of one part keeps the others', async () => {
    const location = await api.location(admin.token, 'Otel');
    const { token } = await api.user('member', { location });
    await choose(token, { choices: [{ kind: 'device_offline', way: 'mail' }], time_zone: 'Asia/Tokyo' });
    const data = await choose(token, {
      digest_hour: 21,
      locations: [{ location_id: location, choices: [{ kind: 'device_online', way: 'off' }] }],
    });
    expect(data).toMatchObject({
      digest_hour: 21,
      time_zone: 'Asia/Tokyo',
      locations: [{ location: { id: location, name: 'Otel' }, choices: [{ kind: 'device_online', way: 'off' }] }],
    });
    expect(data.choices).toContainEqual({ kind: 'device_offline', way: 'mail', default: 'bell', per_location: true });
    expect((await api.get(at, { token })).body.data).toEqual(data);
  });

  test('do not name a location that the user has left', async () => {
    const location = await api.location(admin.token, 'Eski');
    const { id, token } = await api.user('member', { location });
    await choose(token, { locations: [{ location_id: location, choices: [{ kind: 'device_online', way: 'off' }] }] });
    await api.delete(`panel/location/${location}/user/${id}`, { token: admin.token });
    const left = await api.get(at, { token });
    expect([left.status, left.body.data.locations]).toEqual([200, []]);
  });

  test('refuse bad input by field, other locations, and kinds that the user cannot receive', async () => {
    const location = await api.location(admin.token, 'Otel');
    const other = await api.location(admin.token, 'Komşu');
    const { token } = await api.user('member', { location });
    const choices = [{ kind: 'device_offline', way: 'off' }];
    const bad: [object, string][] = [
      [{ digest_hour: 24 }, 'digest_hour'],
      [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
      [{ choices: [{ kind: 'device_offline', way: 'pigeon' }] }, 'choices.0.way'],
      [{ choices: [{ kind: 'invitation_received', way: 'off' }] }, 'choices.0.kind'],
      [{ choices: [...choices, ...choices] }, 'choices'],
      [{ choices: [{ kind: 'domain_stopped', way: 'off' }] }, 'choices'],
      [{ locations: [{ location_id: other, choices }] }, 'locations'],
      [
        {
          locations: [
            { location_id: location, choices },
            { location_id: location, choices },
          ],
        },
        'locations',
      ],
    ];
    for (const [body, field] of bad) {
      const answer = await put(token, body);
      expect([answer.status, Object.keys(answer.body.errors ?? {})], JSON.stringify(body)).toEqual([422, [field]]);
    }
    // A notification about the tenant has no location.
    const ofTenant = { location_id: location, choices: [{ kind: 'clock_doubted', way: 'off' }] };
    expect((await put(admin.token, { locations: [ofTenant] })).status).toBe(422);
    expect((await api.get(at, { token })).body.data.locations).toEqual([]);
    expect((await api.get(at)).status).toBe(401);
  });
});

describe('a notice', () => {
  test('goes to the bell, to the mail or nowhere, as chosen for all locations and for one', async () => {
    const [quiet, loud] = [await api.location(admin.token, 'Sakin'), await api.location(admin.token, 'Gürültülü')];
    const user = await api.user('member', { location: quiet });
    await api.inTenant(tx =>
      tx.run(sql`
        insert into location_members (location_id, user_id, permissions)
        select ${loud}, user_id, permissions from location_members where user_id = ${user.id}`),
    );
    await choose(user.token, {
      choices: [{ kind: 'device_offline', way: 'mail' }],
      locations: [{ location_id: quiet, choices: [{ kind: 'device_offline', way: 'off' }] }],
    });
    await takeMails(api.app);
    await send(offline(quiet));
    expect(await mails()).toEqual([]);
    expect(await kinds(user.token)).toEqual([]);
    await send(offline(loud));
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: user.email, subject: 'Lobi is offline' });
    expect(mail!.text).toContain('Location: Otel.');
    expect(mail!.text).toMatch(/Choose your notifications:\nhttp\S+\/account\/notifications/);
    expect(await kinds(user.token)).toEqual(['device_offline']);
    expect(await mails(), 'once').toEqual([]);
  });

  test('comes in one mail with others of the moment, in the language of the user, once with two processes', async () => {
    const location = await api.location(admin.token, 'Otel');
    const user = await api.user('member', { location });
    await api.app.db.pool.query("update users set language = 'tr' where id = $1", [user.id]);
    await choose(user.token, { choices: [{ kind: 'device_offline', way: 'mail' }] });
    await send(offline(location, 'Lobi'));
    await send(offline(location, 'Havuz'));
    await Promise.all([mailNotices(api.app), mailNotices(api.app)]);
    const got = await takeMails(api.app);
    expect(got.map(it => it.subject)).toEqual(['Lobi çevrimdışı ve 1 bildirim daha']);
    expect(got[0]!.text).toContain('Havuz çevrimdışı');
    expect(got[0]!.text).toContain('Bildirimlerinizi seçin');
  });

  test('names ten devices of an outage, counts the others, and links to all of their locations', async () => {
    const reseller = await api.user('reseller');
    const [hotel, beach] = [await api.location(reseller.token, 'Otel'), await api.location(reseller.token, 'Plaj')];
    await choose(reseller.token, { choices: [{ kind: 'device_offline', way: 'mail' }] });
    const fail = async (count: number) => {
      for (let n = 1; n <= count; n++) await send(offline(n % 2 ? hotel : beach, `AP ${n}`));
      return mails();
    };
    const [ten] = await fail(10);
    expect(ten!.text).toContain('AP 10 is offline');
    expect(ten!.text).not.toContain('more offline');
    const [many, ...others] = await fail(52);
    expect(others).toEqual([]);
    expect(many!.subject).toBe('AP 1 is offline, and 51 more');
    expect(many!.text).toContain('AP 10 is offline');
    expect(many!.text).not.toContain('AP 11');
    const [, link = ''] = /and 42 more offline – (\S+)/.exec(many!.text) ?? [];
    const { pathname, searchParams } = new URL(link);
    expect([pathname, searchParams.get('status')]).toEqual(['/devices', 'offline']);
    expect(searchParams.get('location')?.split(',').sort()).toEqual([hotel, beach].sort());
    await api.app.db.pool.query("update users set language = 'tr' where id = $1", [reseller.id]);
    const [turkish] = await fail(12);
    expect(turkish!.subject).toBe('AP 1 çevrimdışı ve 11 bildirim daha');
    expect(turkish!.text).toContain('ve 2 cihaz daha çevrimdışı – http');

    // A list of devices would be empty for a member who works at another location.
    const member = await api.user('member', { location: hotel });
    await choose(member.token, { choices: [{ kind: 'device_offline', way: 'mail' }] });
    const linkOf = (mails: readonly { to: string; text: string }[]) =>
      new URL(/and 2 more offline – (\S+)/.exec(mails.find(it => it.to === member.email)!.text)![1]!).pathname;
    expect(linkOf(await fail(24))).toBe('/devices');
    await api.app.db.pool.query(
      `insert into location_members (tenant_id, location_id, user_id, permissions)
       select tenant_id, $2, user_id, permissions from location_members where user_id = $1`,
      [member.id, await api.location(admin.token, 'Kafe')],
    );
    const sent = await fail(24);
    expect(linkOf(sent)).toBe('/notifications');
  });

  test('counts devices, not the notices of one that goes offline again and again', async () => {
    const location = await api.location(admin.token, 'Otel');
    const user = await api.user('member', { location });
    await choose(user.token, { choices: [{ kind: 'device_offline', way: 'mail' }] });
    const device = (n: number) => `00000000-0000-4000-8000-0000000000${n.toString().padStart(2, '0')}`;
    for (const n of [1, 2, 1, 2, 3, 1]) {
      await send(offline(location, `AP ${n}`, device(n)));
      await send({ ...offline(location, `AP ${n}`, device(n)), kind: 'device_online' });
    }
    const [few] = await mails();
    expect(few!.subject).toBe('AP 2 is offline, and 2 more');
    expect(few!.text.match(/AP \d is offline/g)).toEqual(['AP 2 is offline', 'AP 3 is offline', 'AP 1 is offline']);
    for (let n = 1; n <= 24; n++) await send(offline(location, `AP ${n % 12}`, device(n % 12)));
    const [many] = await mails();
    expect(many!.subject).toBe('AP 1 is offline, and 11 more');
    expect(many!.text).toContain('and 2 more offline');
  });

  test('is not mailed to a member who lost the location or the device, though it was waiting', async () => {
    const location = await api.location(admin.token, 'Otel');
    await api.user('member', { location });
    const [leaves, limited] = [await api.user('member', { location }), await api.user('member', { location })];
    for (const { token } of [leaves, limited])
      await choose(token, {
        choices: [
          { kind: 'device_offline', way: 'mail' },
          { kind: 'device_online', way: 'digest' },
        ],
      });
    const device = '00000000-0000-4000-8000-00000000000a';
    await send(offline(location, 'Lobi', device));
    await send({ ...offline(location, 'Lobi', device), kind: 'device_online' });
    await api.delete(`panel/location/${location}/user/${leaves.id}`, { token: admin.token });
    await api.app.db.pool.query('update location_members set device_ids = $2 where user_id = $1', [limited.id, []]);
    expect(await mails()).toEqual([]);
    for (const { id } of [leaves, limited]) await nextDay(id);
    await mailDigests(api.app);
    expect(await takeMails(api.app)).toEqual([]);
    await send(offline(location, 'Bahçe'));
    expect((await mails()).map(it => it.to)).toEqual([limited.email]);
  });

  test('beyond twenty mails in an hour waits for the daily mail', async () => {
    const location = await api.location(admin.token, 'Otel');
    const user = await api.user('member', { location });
    await choose(user.token, { choices: [{ kind: 'device_offline', way: 'mail' }] });
    for (let i = 0; i < 21; i++) {
      await send(offline(location, `AP ${i}`));
      await mailNotices(api.app);
    }
    expect(await takeMails(api.app)).toHaveLength(20);
    await nextDay(user.id);
    await mailDigests(api.app);
    const [mail, ...others] = await takeMails(api.app);
    expect(others).toEqual([]);
    expect(mail!.text).toContain('AP 20 is offline');
    expect(mail!.text).not.toContain('AP 19 is offline');
  });

  test('of a licence follows the choice, and is not repeated when it is switched on again', async () => {
    const user = await api.user('member', { location: await api.location(admin.token, 'Otel') });
    const over = { kind: 'license_over', to: { users: [user.id] }, data: { location: 'Otel' }, once: 'o:1' } as const;
    await choose(user.token, { choices: [{ kind: 'license_over', way: 'off' }] });
    expect(await send(over)).toEqual([{ userId: user.id, way: 'off' }]);
    await choose(user.token, { choices: [] });
    expect(await send(over)).toEqual([]);
    expect(await kinds(user.token)).toEqual([]);
    expect(await send({ ...over, once: 'o:2' })).toEqual([{ userId: user.id, way: 'mail' }]);
    expect(await mails(), 'its feature writes the mail').toEqual([]);
  });
});

describe('the daily mail', () => {
  const digested = async (zone: string | null, hour: number, locationZone?: string) => {
    const location = await api.location(admin.token, 'Otel');
    if (locationZone)
      await api.app.db.pool.query('update locations set time_zone = $2 where id = $1', [location, locationZone]);
    const user = await api.user('member', { location });
    await choose(user.token, {
      choices: [{ kind: 'device_offline', way: 'digest' }],
      digest_hour: hour,
      time_zone: zone,
    });
    return { location, ...user };
  };
  const hourIn = (timeZone: string, ahead = 0) =>
    Number(
      new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone }).format(
        Date.now() + ahead * 3_600_000,
      ),
    );

  test('waits for its hour, comes once with several processes, and not without notices', async () => {
    const user = await digested('Asia/Tokyo', hourIn('Asia/Tokyo'));
    await send(offline(user.location, 'Lobi'));
    await send(offline(user.location, 'Havuz'));
    await mailDigests(api.app);
    expect(await mails(), 'the hour has passed before the notices').toEqual([]);
    expect((await api.get('panel/notification', { token: user.token })).body.data).toMatchObject([{ devices: 2 }]);
    await nextDay(user.id);
    await Promise.all([mailDigests(api.app), mailDigests(api.app), mailDigests(api.app)]);
    const [mail, ...others] = await takeMails(api.app);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: user.email, subject: 'Your daily mail: 2 notifications' });
    expect(mail!.text).toMatch(/\d{1,2} \w+,? \d\d:\d\d · Havuz is offline/);
    expect(mail!.text).toContain('Times are in the time zone Asia/Tokyo.');
    await nextDay(user.id);
    await mailDigests(api.app);
    expect(await takeMails(api.app), 'nothing new').toEqual([]);
  });

  test('comes once a day, though the hour is moved', async () => {
    const user = await digested('UTC', hourIn('UTC'));
    await send(offline(user.location));
    await nextDay(user.id);
    await mailDigests(api.app);
    expect(await takeMails(api.app)).toHaveLength(1);
    await send(offline(user.location, 'Havuz'));
    await api.app.db.pool.query(
      "update notifications set created_at = created_at - interval '2 hours' where user_id = $1 and mail_due",
      [user.id],
    );
    await mailDigests(api.app);
    expect(await takeMails(api.app)).toEqual([]);
    await nextDay(user.id);
    await mailDigests(api.app);
    expect(await takeMails(api.app)).toHaveLength(1);
  });

  test('follows the clock of the location unless the user has a time zone', async () => {
    const zone = zoneAtNoon();
    const user = await digested(null, hourIn(zone), zone);
    await send(offline(user.location));
    await api.app.db.pool.query(
      // Before the chosen hour, also if the next one has begun since it was chosen.
      "update notifications set created_at = now() - interval '61 minutes' where user_id = $1",
      [user.id],
    );
    const { rows } = await api.app.db.pool.query('select digested_on from notice_settings where user_id = $1', [
      user.id,
    ]);
    expect(rows[0].digested_on).toBeNull();
    await api.app.db.pool.query("update users set language = 'tr' where id = $1", [user.id]);
    await mailDigests(api.app);
    const [mail, ...others] = await takeMails(api.app);
    expect(others).toEqual([]);
    expect(mail!.text).toContain(`Saatler ${zone} saat dilimine göredir.`);
    const sent = await api.app.db.pool.query(
      'select digested_on = (now() at time zone $2)::date as today from notice_settings where user_id = $1',
      [user.id, zone],
    );
    expect(sent.rows[0].today).toBe(true);
  });

  test('comes to all, though the database does not know the time zone of one', async () => {
    const user = await digested(null, hourIn('UTC'), 'Mars/Olympus');
    const other = await digested('UTC', hourIn('UTC'));
    await send(offline(user.location));
    await send(offline(other.location));
    await nextDay(user.id);
    await nextDay(user.id);
    await nextDay(other.id);
    const { pool } = api.app.db;
    const zoneOf = (zone: string) =>
      pool.query(
        'with a as (update tenants set time_zone = $1) update notice_settings set time_zone = $1 where user_id = $2',
        [zone, user.id],
      );
    await zoneOf('Mars/Olympus');
    await mailDigests(api.app);
    await zoneOf('Europe/Istanbul');
    expect((await takeMails(api.app)).map(it => it.to).sort()).toEqual([user.email, other.email].sort());
  });

  test('is sent later if queueing failed', async () => {
    const user = await digested('UTC', hourIn('UTC'));
    await send(offline(user.location));
    await nextDay(user.id);
    await api.app.db.pool.query('alter table outbox_mails rename to outbox_away');
    await expect(mailDigests(api.app)).rejects.toThrow('outbox_mails');
    await api.app.db.pool.query('alter table outbox_away rename to outbox_mails');
    expect(await takeMails(api.app)).toEqual([]);
    await mailDigests(api.app);
    expect(await takeMails(api.app)).toHaveLength(1);
  });
});
