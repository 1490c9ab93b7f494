import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '#test/database.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { relay } from '#test/relay.ts';
import { integrationJobs } from './integrations.jobs.ts';

let api: TestApi;
let token: string;
let location: string;
let hotel: pg.Client;
let connection: Record<string, unknown>;

const fields = {
  firstname: 'first name',
  lastname: 'last"name',
  birth_date: 'born',
  session_start_at: 'check_in',
  session_end_at: 'check_out',
  room_number: 'room',
  email: 'mail',
};

beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  const admin = await api.user('tenant-admin');
  location = await api.location(admin.token, 'Otel');
  token = (await api.user('member', { location })).token;
  // A hotel's own PostgreSQL: another database of the test server, reached through its socket.
  const { url } = await freshDatabase({ empty: true });
  hotel = new pg.Client({ connectionString: url });
  await hotel.connect();
  await hotel.query(
    `create schema front; create table front.guests ("first name" text, "last""name" text, born date, check_in timestamp, check_out timestamp, room text, mail text)`,
  );
  connection = {
    type: 'postgresql',
    db_host: '127.0.0.1',
    db_port: await relay(),
    db_username: 'postgres',
    db_password: 'x',
    db_name: hotel.database,
    db_table: 'front.guests',
  };
  return () => hotel.end();
});
/** The guests of the hotel, of whom we know nothing yet. */
beforeEach(async () => {
  await hotel.query(`truncate front.guests; insert into front.guests values
    ('Ayşe', 'Yılmaz', '1990-05-06', now() - interval '1 day', now() + interval '2 days', '101', 'AYSE@example.com'),
    ('John', 'Doe', '1985-01-02', now(), now() + interval '1 day', '102', null),
    ('John', 'Doe', '1985-01-02', now(), now() + interval '1 day', '102', null)`);
  await api.inTenant(async tx => {
    await tx.run(sql`delete from visitors`);
    await tx.run(sql`delete from integrations`);
    await tx.run(sql`delete from notifications`);
  });
});

describe('a connection', () => {
  test('is tested, and returns the columns of its table with sample values', async () => {
    const answer = await api.post('panel/integration/test', { token, body: connection });
    expect(answer.status).toBe(200);
    expect(answer.body.data.map((c: { name: string }) => c.name)).toEqual([
      'first name',
      'last"name',
      'born',
      'check_in',
      'check_out',
      'room',
      'mail',
    ]);
    expect(answer.body.data[0].value).toBe('Ayşe');
  });

  test('that fails reports the reason at its field', async () => {
    const needed = ['Bu alan zorunludur.'];
    const database = { db_host: needed, db_port: needed, db_username: needed, db_password: needed, db_name: needed };
    expect((await api.post('panel/integration/test', { token, body: {}, language: 'tr' })).body.errors).toEqual({
      type: ['Bir entegrasyon türü seçin.'],
      ...database,
      db_table: needed,
    });
    const untyped = await api.post('panel/integration/test', { token, body: { db_name: 'hotel' } });
    expect(Object.keys(untyped.body.errors)).not.toContain('db_name');
    const empty = { type: 'postgresql' };
    expect(Object.keys((await api.post('panel/integration/test', { token, body: empty })).body.errors).sort()).toEqual([
      'db_host',
      'db_name',
      'db_password',
      'db_port',
      'db_table',
      'db_username',
    ]);
    const wrong = await api.post('panel/integration/test', {
      token,
      body: { ...connection, db_table: 'front.guests; drop table x' },
    });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors.db_table[0]).toContain('does not exist');
    const missing = await api.post('panel/integration/test', { token, body: { ...connection, db_name: 'no_such' } });
    expect(Object.keys(missing.body.errors)).toEqual(['db_name']);
    const closed = await api.post('panel/integration/test', { token, body: { ...connection, db_port: 1 } });
    expect(closed.status).toBe(422);
  });

  test('does not reach private networks where the installation forbids it', async () => {
    const strict = await startApi({ INTEGRATIONS_INSIDE: '0' });
    const admin = await strict.user('tenant-admin');
    for (const db_host of [
      '127.0.0.1',
      'localhost',
      '169.254.169.254',
      '10.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '0.0.0.0',
    ]) {
      const answer = await strict.post('panel/integration/test', {
        token: admin.token,
        body: { ...connection, db_host },
      });
      expect(answer.status, db_host).toBe(422);
      expect(answer.body.errors.db_host[0], db_host).toMatch(/not allowed/);
    }
  });
});

test('to a server that never answers reports a timeout', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const at = { db_host: '127.0.0.1', db_port: port, db_username: 'u', db_password: 'p', db_name: 'd', db_table: 't' };
  const mail = {
    type: 'smtp',
    host: '127.0.0.1',
    port,
    security: 'none',
    from_name: 'O',
    from_address: 'o@example.com',
  };
  const tried = await Promise.all(
    [{ ...at, type: 'postgresql' }, { ...at, type: 'mysql' }, { ...at, type: 'mssql' }, mail].flatMap(body =>
      (['tr', 'en'] as const).map(language => api.post('panel/integration/test', { token, body, language })),
    ),
  );
  silent.close();
  const reported = tried.map(it => Object.values(it.body.errors).flat()[0]);
  const words = [
    'Bağlantı kurulamadı: Sunucu zamanında yanıt vermedi.',
    'Connection failed: The server did not answer in time.',
  ];
  expect(reported).toEqual([...words, ...words, ...words, ...words]);
});

describe('an integration', () => {
  const run = async () => {
    await api.inTenant(tx => tx.run(sql`update integrations set last_tried_at = null`));
    await integrationJobs[0]!.run(api.app);
  };
  const guests = async () => (await api.get('panel/client?per_page=50', { token })).body.data;
  const create = async () => {
    const body = { name: 'Opera', location_id: location, integration_id: 'postgresql', params: { connection, fields } };
    const made = await api.post('panel/integration', { token, body });
    expect(made.status, made.text).toBe(201);
    return made;
  };

  test('brings guests, moves them and ends their stays', async () => {
    const made = await create();
    expect(made.text).not.toContain('db_password');
    await run();
    expect((await guests()).map((g: { name: string; room_number: string }) => [g.name, g.room_number]).sort()).toEqual([
      ['Ayşe Yılmaz', '101'],
      ['John Doe', '102'],
    ]);
    const working = (await api.get(`panel/integration/${made.body.data.id}`, { token })).body.data;
    expect(working.last_worked_at).toBeTruthy();
    expect(working.last_error).toBeNull();

    await hotel.query(
      `update front.guests set room = '201' where room = '101'; delete from front.guests where room = '102'`,
    );
    await run();
    const now = await guests();
    expect(now).toHaveLength(2);
    expect(now.find((g: { name: string }) => g.name === 'Ayşe Yılmaz').room_number).toBe('201');
    expect(Date.parse(now.find((g: { name: string }) => g.name === 'John Doe').session_end_at)).toBeLessThanOrEqual(
      Date.now(),
    );
  });

  test('that fails notifies once, with the message of the database', async () => {
    await create();
    await run();
    await hotel.query('alter table front.guests rename to moved');
    onTestFinished(() => hotel.query('alter table front.moved rename to guests').then(() => undefined));
    await run();
    await run();
    const list = (await api.get('panel/integration', { token })).body.data;
    expect(list[0].last_error).toContain('does not exist');
    const notified = (await api.get('panel/notification', { token })).body.data.filter(
      (n: { kind: string }) => n.kind === 'integration_failing',
    );
    expect(notified).toHaveLength(1);
  });

  test('requires existing columns, and keeps its password', async () => {
    const wrong = { ...fields, room_number: 'suite' };
    const body = {
      name: 'X',
      location_id: location,
      integration_id: 'postgresql',
      params: { connection, fields: wrong },
    };
    expect((await api.post('panel/integration', { token, body })).body.errors).toHaveProperty([
      'params.fields.room_number',
    ]);
    const { id } = (await create()).body.data;
    const { db_password: _, ...rest } = connection;
    const changed = await api.put(`panel/integration/${id}`, {
      token,
      body: { name: 'Opera 2', params: { connection: rest, fields } },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data.name).toBe('Opera 2');
    // The fields may change alone.
    const put = async (params: object) => (await api.put(`panel/integration/${id}`, { token, body: { params } })).body;
    expect((await put({ fields: wrong })).errors).toHaveProperty(['params.fields.room_number']);
    const { data } = await put({ fields: { ...fields, email: null } });
    expect(data.params).toMatchObject({ connection: { db_host: connection.db_host }, fields: { email: null } });
    // So may one of them, and what is not sent stays.
    const [column, another] = [fields.firstname, fields.lastname];
    const one = await put({ fields: { firstname: another } });
    expect(one.data.params).toEqual({ connection: rest, fields: { ...fields, firstname: another, email: null } });
    expect((await put({ fields: { firstname: null } })).errors).toHaveProperty(['params.fields.firstname']);
    expect((await put({ fields: { firstname: column } })).data.params.fields).toEqual({ ...fields, email: null });
    await run();
    expect((await api.get(`panel/integration/${id}`, { token })).body.data.last_error).toBeNull();
    expect((await api.delete(`panel/integration/${id}`, { token })).status).toBe(204);
  });

  test('belongs to one location', async () => {
    const body = { name: 'Opera', location_id: location, integration_id: 'postgresql', params: { connection, fields } };
    const { id } = (await create()).body.data;
    const admin = await api.user('tenant-admin');
    const other = await api.location(admin.token, 'Öteki');
    const stranger = (await api.user('member', { location: other })).token;
    expect((await api.get(`panel/integration/${id}`, { token: stranger })).status).toBe(404);
    expect((await api.put(`panel/integration/${id}`, { token: stranger, body: { name: 'x' } })).status).toBe(404);
    expect((await api.delete(`panel/integration/${id}`, { token: stranger })).status).toBe(404);
    expect((await api.post('panel/integration', { token: stranger, body })).status).toBe(422);
  });

  test('can be of every kind that is offered', async () => {
    const answer = await api.get('panel/integration/available?type=pms&per_page=50', { token });
    expect(answer.body.data.map((k: { slug: string }) => k.slug)).toEqual([
      'postgresql',
      'mysql',
      'mssql',
      'fias',
      'mews',
      'apaleo',
    ]);
  });
});
