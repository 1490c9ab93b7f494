import pg from 'pg';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '#test/database.ts';
import type { Body } from '#test/harness.ts';
import { relay } from '#test/relay.ts';
import { integrationJobs } from '../../../integrations/integrations.jobs.ts';
import { newGuestEachTest, startVenue, type Venue } from '../../testing/venue.ts';

let venue: Venue;
let hotel: pg.Client;
let integration: string;

beforeAll(async () => {
  venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
  const { url } = await freshDatabase({ empty: true });
  hotel = new pg.Client({ connectionString: url });
  await hotel.connect();
  await hotel.query(
    'create table guests (ad text, soyad text, dogum date, giris timestamptz, cikis timestamptz, oda text)',
  );
  const connection = {
    type: 'postgresql',
    db_host: '127.0.0.1',
    db_port: await relay(),
    db_username: 'postgres',
    db_password: 'x',
    db_name: hotel.database,
    db_table: 'guests',
  };
  const fields = {
    firstname: 'ad',
    lastname: 'soyad',
    birth_date: 'dogum',
    session_start_at: 'giris',
    session_end_at: 'cikis',
    room_number: 'oda',
  };
  const body = {
    name: 'Opera',
    location_id: venue.location,
    integration_id: 'postgresql',
    params: { connection, fields },
  };
  integration = (await venue.create('panel/integration', body)).id;
  await venue.offer({ slug: 'room-number', options: { method: 'idNumber' } });
  return () => hotel.end();
}, 120_000);
newGuestEachTest(() => venue);
/** The hotel has no guests, and its system has never been read. */
beforeEach(async () => {
  await hotel.query('truncate guests');
  await venue.api.inTenant(async tx => {
    await tx.run(sql`delete from visitors`);
    await tx.run(sql`delete from notifications`);
    await tx.run(sql`
      update integrations set last_tried_at = null, last_ended_try = null, last_worked_at = null, last_error = null, problem = null, last_read_empty = false`);
  });
});

const checkIn = (name: string, room: string) =>
  hotel.query(
    `insert into guests values ($1, 'Deniz', '1980-02-01', now() - interval '1 hour', now() + interval '3 days', $2)`,
    [name, room],
  );
const sign = (room_number: string) => venue.submit({ method: 'room-number', room_number, birth_date: '1980-02-01' });
const later = () =>
  venue.api.inTenant(tx => tx.run(sql`update integrations set last_tried_at = now() - interval '1 minute'`));
const read = async () => {
  await later();
  await venue.api.inTenant(tx => tx.run(sql`update integrations set last_tried_at = null`));
  await integrationJobs.find(it => it.name === 'read integrations')!.run(venue.api.app);
};

/** Waits until a statement that names this table waits for its lock. */
const waitsFor = (table: string) =>
  expect
    .poll(
      async () => {
        const waiting = await venue.api.app.db.pool.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query ilike $1",
          [`%${table}%`],
        );
        return waiting.rowCount;
      },
      { timeout: 120_000 },
    )
    .toBe(1);

describe('a guest of a hotel', () => {
  test('can sign in right after check-in, because the hotel’s system is read when no guest matches', async () => {
    await read();
    await checkIn('Ada', '101');
    await later();
    expect((await sign('101')).status).toBe(303);
  });

  test('does not cause a read of the hotel’s system with every wrong guess', async () => {
    await later();
    expect((await sign('999')).status).toBe(422);
    await checkIn('Efe', '102');
    venue.newMac();
    expect((await sign('102')).status, 'the system was read a moment ago').toBe(422);
    await later();
    venue.newMac();
    expect((await sign('102')).status).toBe(303);
  });

  test('is disconnected once at check-out, and refused afterwards', async () => {
    await checkIn('Ada', '101');
    await read();
    const visitor = await venue.api.inTenant(tx =>
      tx.one<{ id: string }>(sql`select id from visitors where room_number = '101'`),
    );
    await venue.api.app.db.withSystem(async tx => {
      const it = await tx.one<{ tenant_id: string }>(sql`select tenant_id from devices where id = ${venue.device.id}`);
      const start = {
        tenant: it.tenant_id,
        device: venue.device.id,
        status: 'start',
        session: 's1',
        user_name: 'x',
        mac: 'AA:BB:CC:00:00:01',
        ip: '10.5.50.9',
        at: new Date(),
        seconds: 0,
        upload: 0,
        download: 0,
      };
      await tx.run(sql`select account(${JSON.stringify([start])}::jsonb)`);
      await tx.run(sql`update online_sessions set visitor_id = ${visitor.id} where acct_session_id = 's1'`);
    });
    const commands = () =>
      venue.api.inTenant(tx =>
        tx.many<{ reason: string }>(sql`select reason from session_commands where reason = 'stay-over'`),
      );
    await read();
    expect(await commands()).toEqual([]);
    await hotel.query(`delete from guests where oda = '101'`);
    await read();
    await read();
    expect(await commands()).toEqual([{ reason: 'stay-over' }]);
    await later();
    expect((await sign('101')).html).toContain('Your access has ended');
  });

  test('is not disconnected when the hotel’s table is empty for a moment', async () => {
    for (const room of ['201', '202', '203', '204', '205', '206']) await checkIn(`Oda ${room}`, room);
    await read();
    await hotel.query('create table kept as table guests; truncate guests');
    onTestFinished(() => hotel.query('drop table kept').then(() => undefined));
    await read();
    const staying = async () =>
      (
        await venue.api.inTenant(tx =>
          tx.one<{ n: number }>(
            sql`select count(*) as n from visitors where integration_id = ${integration} and session_end_at > now()`,
          ),
        )
      ).n;
    expect(await staying()).toBe(6);
    await hotel.query('insert into guests table kept');
    await read();
    expect(await staying()).toBe(6);
    await hotel.query('truncate guests');
    await read();
    await read();
    expect(await staying(), 'the table counts as empty the second time').toBe(0);
  });

  test('can sign in while the hotel’s system is unavailable; one notification tells why', async () => {
    await hotel.query('alter table guests rename to moved');
    await read();
    const it = (await venue.api.get(`panel/integration/${integration}`, { token: venue.admin, language: 'tr' })).body
      .data;
    expect(it.last_error).toMatch(/^Böyle bir tablo yok: relation/);
    await hotel.query('alter table moved rename to guests');
    await read();
    const notices = (await venue.api.get('panel/notification', { token: venue.admin })).body.data as Body[];
    expect(notices.map(notice => notice.kind)).toEqual(
      expect.arrayContaining(['integration_failing', 'integration_recovered']),
    );
  });

  test('waits for a read that a job has begun', async () => {
    await checkIn('Can', '103');
    const page = await venue.captive.get(venue.arrival());
    const client = await venue.api.app.db.pool.connect();
    try {
      await hotel.query('begin; lock table guests');
      const reading = read();
      await waitsFor('"guests"');
      // Holds the sign-in after its first look at the guests: reads go on.
      await client.query('begin; lock table hotel_links in share row exclusive mode');
      const signing = venue.submitOn(page, { method: 'room-number', room_number: '103', birth_date: '1980-02-01' });
      await waitsFor('update hotel_links');
      await client.query('commit');
      await hotel.query('commit');
      expect((await signing).status).toBe(303);
      await reading;
    } finally {
      await client.query('rollback');
      await hotel.query('rollback');
      client.release();
    }
  });
});
