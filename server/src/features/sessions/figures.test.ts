import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { registry } from '#lib/metrics.ts';
import { startApp } from '#test/harness.ts';
import { compareFigures, verifyFigures } from './figures.jobs.ts';
import { listPlaces, repairFigures } from './figures.queries.ts';
import { deleteSessions } from './retention.queries.ts';
import { makeScene, type Scene } from './testing/scene.ts';

/** Totals of days against their sessions. */

const app = await startApp();
const day = 86_400;
let scene: Scene;
let slug: string;
beforeEach(async () => {
  scene = await makeScene(app);
  await scene.addVisitor('ada', 'pw');
  slug = await scene.inTenant(async tx => (await tx.one<{ slug: string }>(sql`select slug from tenants`))!.slug);
  // It is about noon there. One session of the day before yesterday, one from yesterday that is still open.
  await scene.send('start', { session: 'old', ago: 2 * day + 3600 });
  await scene.send('stop', { session: 'old', ago: 2 * day, seconds: 3600, up: 5, down: 50 });
  await scene.send('start', { session: 'long', mac: 'A0:00:00:00:00:02', ago: day });
  await scene.send('interim', {
    session: 'long',
    mac: 'A0:00:00:00:00:02',
    ago: day - 7200,
    seconds: 7200,
    up: 7,
    down: 70,
  });
  await scene.send('interim', {
    session: 'long',
    mac: 'A0:00:00:00:00:02',
    ago: 60,
    seconds: day - 60,
    up: 8,
    down: 80,
  });
});

const localDay = async (ago: number): Promise<string> =>
  (await scene.inTenant(tx =>
    tx.one<{ day: string }>(sql`select (local_day(time_zone) - ${ago}::int)::text as day from locations`),
  ))!.day;
const spoil = (ago: number) =>
  app.db.withSystem(async tx => {
    const at = sql`tenant_id = ${scene.tenantId} and day = ${await localDay(ago)}::date`;
    await tx.run(sql`update session_hours set upload = upload + 100 where ${at}`);
    await tx.run(sql`delete from session_days where ${at}`);
    await tx.run(sql`update visitor_days set sessions = sessions + 1, seconds = 0 where ${at}`);
    await tx.run(sql`delete from visitor_device_days where ${at}`);
  });
async function verify(repair = false, from = 2) {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const code = await verifyFigures(app, {
    from: await localDay(from),
    to: await localDay(0),
    tenant: slug,
    repair,
    print,
  });
  return { code, lines };
}
const counted = async (): Promise<number> => {
  const { values } = (await registry.getSingleMetric('portico_figure_differences_total')?.get()) ?? { values: [] };
  return values.reduce((sum, it) => sum + it.value, 0);
};

test('that are right stay, with a session across midnight that is still open', async () => {
  expect(await verify()).toEqual({ code: 0, lines: ['Compared 3 days of locations: 0 totals differ'] });
});

test('that are right stay, with a session that was used in several hours before it was closed', async () => {
  const phone = { session: 'hours', mac: 'A0:00:00:00:00:03' };
  await scene.send('start', { ...phone, ago: 2 * day + 3 * 3600 });
  await scene.send('interim', { ...phone, ago: 2 * day + 2 * 3600, seconds: 3600, up: 3, down: 30 });
  await scene.send('stop', { ...phone, ago: 2 * day, seconds: 3 * 3600, up: 4, down: 40 });
  expect((await verify()).code).toBe(0);
});

test('of a tenant that does not exist are refused by the command', async () => {
  const asked = { from: '2026-01-01', to: '2026-01-01', tenant: 'misspelt', repair: false, print: () => {} };
  await expect(verifyFigures(app, asked)).rejects.toThrow('There is no tenant misspelt');
});

test('that are wrong are repaired by the job, and counted', async () => {
  const before = await scene.days();
  const countedBefore = await counted();
  await spoil(1);
  await spoil(2);
  await compareFigures(app);
  expect((await counted()) - countedBefore).toBeGreaterThanOrEqual(8);
  expect(await scene.days()).toEqual(before);
  expect((await verify()).code).toBe(0);
  const told = await counted();
  await compareFigures(app);
  expect(await counted()).toBe(told);
});

test('that are wrong are printed, and repaired only when asked to', async () => {
  await spoil(2);
  const dry = await verify();
  expect(dry.code).toBe(1);
  expect(dry.lines.join('\n')).toMatch(
    /session_days device \S+: kept 0 sessions, .* its sessions say 1 sessions, 3600 s, 5 bytes up, 50/,
  );
  expect(dry.lines.at(-1)).toBe('Compared 3 days of locations: 5 totals differ');
  expect((await verify(true)).lines.at(-1)).toBe('Compared 3 days of locations: 5 totals differ and are repaired');
  expect((await verify()).code).toBe(0);
});

test('of a tenant are not those of another', async () => {
  const other = scene;
  await spoil(2);
  scene = await makeScene(app);
  slug = await scene.inTenant(async tx => (await tx.one<{ slug: string }>(sql`select slug from tenants`))!.slug);
  expect((await verify()).code).toBe(0);
  await expect(
    scene.inTenant(tx => tx.many(sql`select repair_figures(${other.tenantId}, ${other.locationId}, current_date)`)),
  ).rejects.toThrow('permission denied');
});

test('of days whose sessions are erased are left alone', async () => {
  const kept = await scene.days();
  // Deletes them as after their two days.
  await app.db.withSystem(tx => deleteSessions(tx, { days: 1, limit: 100 }));
  expect(await scene.closed()).toEqual([]);
  const { code, lines } = await verify(true, 3);
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatch(/^Left out \d days, because not all of their sessions are kept$/);
  expect(await scene.days()).toEqual(kept);
});

test('are left alone if the first whole day moves after the locations were listed', async () => {
  const place = (await app.db.withSystem(tx => listPlaces(tx, slug)))[0]!;
  await spoil(2);
  await app.db.withSystem(tx => deleteSessions(tx, { days: 1, limit: 100 }));
  const kept = await scene.days();
  const found = await app.db.withSystem(async tx => repairFigures(tx, place, await localDay(2)));
  expect([place.since, found]).toEqual([null, []]);
  expect(await scene.days()).toEqual(kept);
});

test('of days in another time zone are left alone', async () => {
  const kept = await scene.days();
  await scene.set('locations', scene.locationId, { time_zone: 'Asia/Kathmandu' });
  await compareFigures(app);
  expect(await scene.days()).toEqual(kept);
  expect((await verify(true)).lines[0]).toBe('Compared 0 days of locations: 0 totals differ');
});

test('of a location that got its time zone before its first session are compared', async () => {
  scene = await makeScene(app);
  slug = await scene.inTenant(async tx => (await tx.one<{ slug: string }>(sql`select slug from tenants`))!.slug);
  await scene.set('locations', scene.locationId, { time_zone: 'Asia/Kathmandu' });
  await scene.addVisitor('ada', 'pw');
  await scene.send('start', { session: 'first', ago: 60 });
  // Soon after midnight there, it began yesterday.
  for (const ago of [0, 1]) await spoil(ago);
  expect((await verify()).lines.at(-1)).toMatch(/^Compared 3 days of locations: [1-9] totals differ$/);
});
