import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { integrationJobs } from './integrations.jobs.ts';
import { startMariadb } from './testing/mariadb.ts';
import { startSqlServer } from './testing/sql-server.ts';

let api: TestApi;
let admin: string;
const job = integrationJobs.find(it => it.name === 'read integrations')!;
const run = async () => {
  await api.inTenant(tx => tx.run(sql`update integrations set last_tried_at = null`));
  await job.run(api.app);
};
const guestsOf = async (location: string) =>
  (await api.inTenant(tx =>
    tx.many(
      sql`select name, room_number, session_end_at > now() as stays from visitors where location_id = ${location} order by name`,
    ),
  )) as Body[];
const place = (name: string) => api.location(admin, name);
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  admin = (await api.user('tenant-admin')).token;
});

describe('a hotel on MariaDB', () => {
  let hotel: Awaited<ReturnType<typeof startMariadb>>;
  let location: string;
  let connection: Body;
  const fields = {
    firstname: 'ad',
    lastname: 'soy`ad',
    birth_date: 'dogum',
    session_start_at: 'giris',
    session_end_at: 'cikis',
    room_number: 'oda no',
    idNumber: 'kimlik',
  };

  beforeAll(async () => {
    hotel = await startMariadb();
    afterFile(hotel.stop);
    location = await place('MariaDB Otel');
    await hotel.query(`create table hotel.\`misafir-ler\` (ad varchar(40), \`soy\`\`ad\` varchar(40), dogum date, giris datetime, cikis datetime,
      \`oda no\` int, kimlik bigint unsigned) charset utf8mb4;
      insert into hotel.\`misafir-ler\` values ('Gülşen', 'Çağ', '1990-05-06', now() - interval 1 day, now() + interval 2 day, 101, 18446744073709551610),
        ('Ivan', 'Petrov', '1985-01-02', now() - interval 1 hour, now() + interval 1 day, 102, 7)`);
    connection = {
      type: 'mysql',
      db_host: '127.0.0.1',
      db_port: hotel.port,
      db_username: 'pms',
      db_password: 'pms-parola',
      db_name: 'hotel',
      db_table: 'misafir-ler',
    };
  });

  const tryIt = (more: object = {}) =>
    api.post('panel/integration/test', { token: admin, body: { ...connection, ...more }, language: 'tr' });

  test('returns its columns with sample values, also for unusual names', async () => {
    const answer = await tryIt();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data.map((it: Body) => it.name)).toEqual(Object.values(fields));
    expect(answer.body.data[0].value).toBe('Gülşen');
  });

  test('brings its guests beside rows that cannot be stored', async () => {
    await hotel.query(`create table hotel.odd (ad varchar(40), soyad varchar(200), dogum varchar(40), giris varchar(40), cikis varchar(40), oda varchar(40)) charset utf8mb4;
      insert into hotel.odd values ('Ay\\0şe', 'Nul', '1990-02-31', '${day(-1)}', '${day(2)}', '1'), ('B', 'Day', '1990-02-31', '2026-02-31', '${day(2)}', '2'),
        ('C', 'Clock', '1990-02-31', '${day(-1)}', '${day(2)} 25:61:00', '3'), ('D', 'Year', '1990-02-31', '0000-01-01', '${day(2)}', '4'),
        ('E', '${'x'.repeat(117)}😀', '1990-02-31', '${day(-1)}', '${day(2)}', '5'), ('F', 'Good', '1990-02-31', '${day(-1)}', '${day(2)}', '6')`);
    const odd = await place('Odd Otel');
    const named = { firstname: 'ad', lastname: 'soyad', birth_date: 'dogum', room_number: 'oda' };
    const params = {
      connection: { ...connection, db_table: 'odd' },
      fields: { ...named, session_start_at: 'giris', session_end_at: 'cikis' },
    };
    const body = { name: 'Odd', location_id: odd, integration_id: 'mysql', params };
    const made = await api.post('panel/integration', { token: admin, body });
    expect(made.status, made.text).toBe(201);
    await run();
    expect(await guestsOf(odd)).toEqual([
      { name: 'Ayşe Nul', room_number: '1', stays: true },
      { name: `E ${'x'.repeat(117)}`, room_number: '5', stays: true },
      { name: 'F Good', room_number: '6', stays: true },
    ]);
    const shown = await api.get(`panel/integration/${made.body.data.id}`, { token: admin });
    expect(shown.body.data.last_error).toBeNull();
    expect((await api.delete(`panel/integration/${made.body.data.id}`, { token: admin })).status).toBe(204);
  });

  test('brings guests, moves them and ends their stays', async () => {
    const body = { name: 'Opera', location_id: location, integration_id: 'mysql', params: { connection, fields } };
    const made = await api.post('panel/integration', { token: admin, body });
    expect(made.status, made.text).toBe(201);
    await run();
    expect(await guestsOf(location)).toEqual([
      { name: 'Gülşen Çağ', room_number: '101', stays: true },
      { name: 'Ivan Petrov', room_number: '102', stays: true },
    ]);
    await hotel.query(`update hotel.\`misafir-ler\` set \`oda no\` = 201 where ad = 'Gülşen';
      delete from hotel.\`misafir-ler\` where ad = 'Ivan'`);
    await run();
    expect(await guestsOf(location)).toEqual([
      { name: 'Gülşen Çağ', room_number: '201', stays: true },
      { name: 'Ivan Petrov', room_number: '102', stays: false },
    ]);
  });

  test('reports each problem in plain words at its field', async () => {
    const words = async (more: object, field = 'db_host') => (await tryIt(more)).body.errors[field][0] as string;
    expect(await words({ db_password: 'x' }, 'db_username')).toContain('kullanıcı adını veya parolayı kabul etmedi');
    expect(await words({ db_table: 'yok' }, 'db_table')).toContain('Böyle bir tablo yok');
    expect(await words({ db_table: 'x`; drop table `misafir-ler' }, 'db_table')).toContain('Böyle bir tablo yok');
    expect(await words({ db_name: 'yok' }, 'db_name')).toContain('Böyle bir veritabanı yok');
    expect(await words({ db_name: 'mysql', db_table: 'user' }, 'db_name')).toContain('yetkisi yok');
    expect(await words({ db_port: 1 })).toContain('Sunucuya ulaşılamıyor');
    expect(await words({ db_host: 'no-such-host.invalid' })).toContain('Bu adda bir sunucu yok');
    // This server has no trusted certificate.
    expect(await words({ tls: true })).toContain('Bağlantı şifreli değil');
  });
});

describe('a hotel on SQL Server (a fake that speaks TDS)', () => {
  test('is tested and read; its errors are understood', async () => {
    const hotel = await startSqlServer({ user: 'pms', password: 'Çok gizli-1' });
    const location = await place('SQL Otel');
    const columns = ['first', 'last]name', 'born', 'in', 'out', 'room'];
    hotel.hold(columns, [['Ayşe', 'Yılmaz', '1990-05-06', `${day(-1)}T12:00:00`, `${day(2)}T12:00:00`, '301']]);
    const connection = {
      type: 'mssql',
      db_host: '127.0.0.1',
      db_port: hotel.port,
      db_username: 'pms',
      db_password: 'Çok gizli-1',
      db_name: 'hotel',
      db_table: 'dbo.guests',
    };
    const tryIt = (more: object = {}) =>
      api.post('panel/integration/test', { token: admin, body: { ...connection, ...more } });
    const answer = await tryIt();
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data.map((it: Body) => it.name)).toEqual(columns);
    const [firstname, lastname, birth_date, session_start_at, session_end_at, room_number] = columns;
    const fields = { firstname, lastname, birth_date, session_start_at, session_end_at, room_number };
    const body = { name: 'Fidelio', location_id: location, integration_id: 'mssql', params: { connection, fields } };
    expect((await api.post('panel/integration', { token: admin, body })).status).toBe(201);
    await run();
    expect(await guestsOf(location)).toEqual([{ name: 'Ayşe Yılmaz', room_number: '301', stays: true }]);
    expect(hotel.queries.some(text => text.includes('[last]]name]'))).toBe(true);
    expect((await tryIt({ db_password: 'x' })).body.errors.db_username[0]).toContain('refused the username');
    expect((await tryIt({ db_table: 'rooms' })).body.errors.db_table[0]).toContain('no such table');
    expect((await tryIt({ tls: true })).body.errors.db_host[0]).toContain('not encrypted');
  });
});
