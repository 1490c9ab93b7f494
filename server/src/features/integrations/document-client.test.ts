import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '#test/database.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { relay } from '#test/relay.ts';

/** Calls of a client written from the documents: numbers are sent as text, unset fields as empty text. */

let api: TestApi;
let token: string;
let location: string;
let connection: Body;
const columns = { firstname: 'ad', lastname: 'soyad', birth_date: 'dogum' };
const required = { ...columns, session_start_at: 'giris', session_end_at: 'cikis', room_number: 'oda' };
const none = { gender: '', nationality: '', phone: '', idNumber: null, email: '' };

beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  const admin = await api.user('tenant-admin');
  location = await api.location(admin.token, 'Otel');
  token = (await api.user('member', { location })).token;
  const { url } = await freshDatabase({ empty: true });
  const hotel = new pg.Client({ connectionString: url });
  await hotel.connect();
  await hotel.query(`create table guests (ad text, soyad text, dogum date, giris timestamp, cikis timestamp, oda int);
    insert into guests values ('Ayşe', 'Yılmaz', '1990-05-06', '2026-11-20 14:00', '2026-11-22 12:00', 101)`);
  connection = {
    type: 'postgresql',
    db_host: '127.0.0.1',
    db_port: String(await relay()),
    db_username: 'postgres',
    db_password: 'x',
    db_name: hotel.database,
    db_table: 'guests',
  };
  return () => hotel.end();
});

const form = (params: object) => ({ name: 'Opera', location_id: location, integration_id: 'postgresql', params });
const create = (body: object) => api.post('panel/integration', { token, body, language: 'tr' });

describe('a client written from the documents', () => {
  test('lists the kinds, tests a connection and gets the columns of its table', async () => {
    const kinds = (await api.get('panel/integration/available?per_page=999&type=pms', { token })).body.data as Body[];
    expect(kinds.map(it => [it.id, it.slug])).toContainEqual(['postgresql', 'postgresql']);
    const tried = await api.post('panel/integration/test', { token, body: connection });
    expect([tried.status, tried.body.data]).toEqual([
      200,
      [
        { name: 'ad', value: 'Ayşe' },
        { name: 'soyad', value: 'Yılmaz' },
        { name: 'dogum', value: '1990-05-06' },
        { name: 'giris', value: '2026-11-20 14:00:00' },
        { name: 'cikis', value: '2026-11-22 12:00:00' },
        { name: 'oda', value: '101' },
      ],
    ]);
  });

  test('creates an integration with empty optional fields, reads it and sends it back', async () => {
    const made = await create(form({ connection, fields: { ...required, ...none } }));
    expect(made.status, made.text).toBe(201);
    const path = `panel/integration/${made.body.data.id}`;
    const [listed] = (await api.get('panel/integration?page=1', { token })).body.data;
    const { db_password: _, db_port, ...open } = connection;
    expect(listed).toMatchObject({
      name: 'Opera',
      location_id: location,
      integration_id: 'postgresql',
      last_worked_at: null,
      type: { slug: 'postgresql', logo: '/integrations/postgresql.svg', connection_type: 'database' },
      params: { connection: { ...open, db_port: Number(db_port) }, fields: required },
    });
    expect((await api.put(path, { token, body: listed })).status).toBe(200);
    for (const db_password of ['', null]) {
      const params = { connection: { ...connection, db_password }, fields: required };
      const kept = await api.put(path, { token, body: { ...form(params), name: 'Opera 2' } });
      expect([kept.status, kept.body.data?.name], kept.text).toEqual([200, 'Opera 2']);
    }
    const elsewhere = { connection: { ...connection, db_password: '', db_port: '1' }, fields: required };
    const moved = await api.put(path, { token, body: form(elsewhere) });
    expect([moved.status, Object.keys(moved.body.errors)]).toEqual([422, ['params.connection.db_password']]);
    expect((await api.delete(path, { token })).status).toBe(204);
    expect((await api.get(path, { token })).status).toBe(404);
  });

  test('gets an error for each missing field, in its language', async () => {
    const needed = ['Bu alan zorunludur.'];
    const empty = {
      ...connection,
      db_host: '',
      db_port: '',
      db_username: '',
      db_password: '',
      db_name: '',
      db_table: '',
    };
    const tried = await api.post('panel/integration/test', { token, body: empty, language: 'tr' });
    const first = Object.entries(tried.body.errors as Record<string, string[]>).map(([name, [words]]) => [
      name,
      [words],
    ]);
    expect(Object.fromEntries(first)).toEqual({
      db_host: needed,
      db_port: needed,
      db_username: needed,
      db_password: needed,
      db_name: needed,
      db_table: needed,
    });
    const letters = await api.post('panel/integration/test', { token, body: { ...connection, db_port: 'x' } });
    expect(letters.body.errors).toEqual({ db_port: ['Enter a whole number.'] });
    expect((await create({})).body.errors).toMatchObject({ name: needed, location_id: needed, integration_id: needed });
    const unmapped = Object.fromEntries(Object.keys(required).map(field => [`params.fields.${field}`, needed]));
    for (const params of [{ connection }, { connection, fields: {} }, { connection, fields: null }])
      expect((await create(form(params))).body.errors).toEqual(unmapped);
  });
});
