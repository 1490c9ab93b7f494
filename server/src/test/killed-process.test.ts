import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sql, { type Sql } from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import { startNginx } from './nginx.ts';
import { freePort, freePorts, type ServerProcess, startProcess } from './process.ts';

// Two processes behind nginx with deploy/nginx.conf. One is killed in the middle of requests.

const folder = mkdtempSync(path.join(tmpdir(), 'portico-killed-'));
chmodSync(folder, 0o755);
let venue: Venue;
let start: (i: 0 | 1) => Promise<ServerProcess>;
let running: ServerProcess[] = [];
let endNginx = async (): Promise<void> => undefined;
let panel = '';
let guests = '';
beforeAll(async () => {
  venue = await startVenue();
  const settings = {
    SERVICES: 'api,captive',
    RATE_LIMIT: '1000000',
    SECRET_KEY: 'a key for the tests, long enough',
  };
  const both = await Promise.all([freePorts(), freePorts()]);
  // PostgreSQL tells which process waits.
  const url = venue.api.app.db.pool.options.connectionString!.replace('@/', '@localhost/');
  start = i => startProcess(folder, { ...settings, ...both[i], DATABASE_URL: `${url}&application_name=process${i}` });
  running = await Promise.all([start(0), start(1)]);
  const [listen, ofGuests] = [await freePort(), await freePort()];
  [panel, guests] = [`http://127.0.0.1:${listen}`, `http://127.0.0.1:${ofGuests}`];
  endNginx = await startNginx(
    folder,
    listen,
    both.map(it => it.PORT),
    { listen: ofGuests, ports: both.map(it => it.CAPTIVE_PORT) },
  );
}, 180_000);
afterAll(async () => {
  await endNginx();
  await Promise.all(running.map(it => it.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** Does something while changes of a location, or all that reads visitors, wait. */
const whileLocked = (what: Sql, work: () => Promise<void>) =>
  venue.api.inTenant(async tx => {
    await tx.run(what);
    await work();
  });
const waiting = async (): Promise<number> => {
  const { rows } = await venue.api.app.db.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows[0]!.n;
};
const whoWaits = async (): Promise<string[]> => {
  const { rows } = await venue.api.app.db.pool.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where wait_event_type = 'Lock' and datname = current_database() order by 1`,
  );
  return rows.map(it => it.name);
};

test('requests with a key are done by the other process, once', async () => {
  const id: string = (await venue.create('panel/location', { name: 'Licensed' })).id;
  const extend = (key: string) =>
    fetch(`${panel}/v1/panel/location/${id}/license`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${venue.admin}`, 'content-type': 'application/json' },
        ...{ 'x-tenant': 'panel', 'idempotency-key': key },
      },
      body: JSON.stringify({ year: 1 }),
    });
  const remain = async (): Promise<number> =>
    (await venue.api.get(`panel/location/${id}`, { token: venue.admin })).body.data.license_remain ?? 0;
  const attempts = () =>
    venue.rows<{ process: number; attempt: number }>(
      sql`select process, attempt from idempotent_replies where key like 'killed %'`,
    );
  const keys = ['killed 1', 'killed 2', 'killed 3', 'killed 4'];
  let answers: Promise<Response[]> | undefined;
  await whileLocked(sql`select 1 from locations where id = ${id} for update`, async () => {
    answers = Promise.all(keys.map(extend));
    await expect.poll(waiting).toBe(keys.length);
    // nginx gave some to each process.
    expect(new Set((await attempts()).map(it => it.process)).size).toBe(2);
    await running[0]!.kill();
    await expect.poll(async () => (await attempts()).filter(it => it.attempt === 2).length).toBeGreaterThan(0);
  });
  const all = await answers!;
  expect(await Promise.all(all.map(async it => [it.status, it.ok || (await it.text())]))).toEqual(
    keys.map(() => [200, true]),
  );
  expect(Math.round((await remain()) / 365)).toBe(keys.length);
  running[0] = await start(0);
});

test.each([
  { language: 'en', says: 'One moment, please' },
  { language: 'tr', says: 'Bir saniye lütfen' },
])('a guest gets a page that leads back to the form ($language)', async ({ language, says }) => {
  venue.newMac();
  const username = await venue.visitor();
  const arrival = venue.arrival({ lang: language });
  const html = await (await fetch(guests + arrival)).text();
  const agree = /name="agree"[^>]*value="(\w+)"/.exec(html)?.[1] ?? '';
  const fields = { state: stateOf(html), agree, notice: '1', lang: language, method: 'username', username };
  const send = () =>
    fetch(guests + venue.signInAt, {
      ...{ method: 'POST', redirect: 'manual' },
      body: new URLSearchParams({ ...fields, password: 'parola 1' }),
    });
  let answers: Promise<Response[]> | undefined;
  await whileLocked(sql`lock table visitors`, async () => {
    answers = Promise.all([send(), send(), send(), send()]);
    // The process that is killed has some of them.
    await expect.poll(whoWaits).toContain('process0');
    await running[0]!.kill();
  });
  const lost = (await answers!).filter(it => it.status === 503);
  expect(lost.length).toBeGreaterThan(0);
  expect((await answers!).map(it => it.status).filter(it => it !== 503 && it !== 303)).toEqual([]);
  const page = await lost[0]!.text();
  expect(page).toContain(`<html lang="${language}"`);
  expect(page).toContain(says);
  const back = /<a class="button" href="([^"]*step=form[^"]*)"/.exec(page)![1]!.replaceAll('&amp;', '&');
  const again = await fetch(guests + back);
  expect([again.status, stateOf(await again.text()) !== '']).toEqual([200, true]);
  running[0] = await start(0);
});
