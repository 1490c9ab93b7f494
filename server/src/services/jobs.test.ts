import { setImmediate as turn } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test, vi } from 'vitest';
import { registry } from '#lib/metrics.ts';
import { startApp } from '#test/harness.ts';
import { jobs, runJob, startJobs } from './jobs.ts';

const app = await startApp();
const metric = async (name: string, labels: Record<string, string>): Promise<number | undefined> => {
  const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return values.find(it => Object.entries(labels).every(([key, value]) => it.labels[key] === value))?.value;
};

test('a failing job is counted, and its last success does not move', async () => {
  let fails = false;
  const run = vi.fn(async () => {
    if (fails) throw new Error('no');
  });
  const started = Date.now() / 1000;
  const service = startJobs(app, { finishMs: 1000, jobs: [{ name: 'test', everyMs: 10, run }] });
  await expect.poll(() => metric('portico_job_runs_total', { name: 'test', outcome: 'done' })).toBeGreaterThan(1);
  fails = true;
  await expect.poll(() => metric('portico_job_runs_total', { name: 'test', outcome: 'failed' })).toBeGreaterThan(0);
  const last = await metric('portico_job_last_success_timestamp_seconds', { name: 'test' });
  const failures = await metric('portico_job_runs_total', { name: 'test', outcome: 'failed' });
  await expect
    .poll(() => metric('portico_job_runs_total', { name: 'test', outcome: 'failed' }))
    .toBeGreaterThan(failures!);
  expect(await metric('portico_job_last_success_timestamp_seconds', { name: 'test' })).toBe(last);
  expect(last).toBeGreaterThanOrEqual(started);
  await service.stop();
});

test('a run that waits for a server of others does not keep the next run waiting, and the stop waits for it', async () => {
  const ends: (() => void)[] = [];
  const run = vi.fn(() => new Promise<void>(resolve => void ends.push(resolve)));
  const alone = vi.fn(() => new Promise<void>(resolve => void ends.push(resolve)));
  const service = startJobs(app, {
    finishMs: 60_000,
    jobs: [
      { name: 'patient', everyMs: 10, run: alone },
      { name: 'impatient', everyMs: 10, patienceMs: 10, run },
    ],
  });
  await expect.poll(() => run.mock.calls.length).toBeGreaterThan(2);
  expect(alone).toHaveBeenCalledOnce();
  let stopped = false;
  const stop = service.stop().then(() => {
    stopped = true;
  });
  for (const end of ends.slice(1)) end();
  // A stop that has nothing to wait for takes as long as one that does not wait.
  await startJobs(app, { finishMs: 60_000, jobs: [] }).stop();
  expect(stopped).toBe(false);
  ends[0]!();
  await stop;
});

test('a job that the stop cuts off is named once, and not reported as failed when it finds the database closed', async () => {
  let fail = () => {};
  const run = vi.fn(
    () =>
      new Promise<void>((_, reject) => {
        fail = () => reject(new Error('closed'));
      }),
  );
  const log = { ...app.log, warn: vi.fn(), error: vi.fn() };
  const service = startJobs({ ...app, log }, { finishMs: 10, jobs: [{ name: 'endless', everyMs: 10, run }] });
  await expect.poll(() => run.mock.calls.length).toBe(1);
  await service.stop();
  expect(log.warn.mock.calls).toEqual([[{ jobs: ['endless'] }, expect.any(String)]]);
  fail();
  await turn();
  expect(log.error).not.toHaveBeenCalled();
});

test('the backlog counts what is due, and queues without any are 0', async () => {
  const count = jobs.find(job => job.name === 'count backlogs')!;
  await runJob(app, count);
  const queues = [
    'mails',
    'sms',
    'webhooks',
    'session_commands',
    'router_commands',
    'log_counts',
    'room_charges',
    'imports',
  ];
  for (const queue of queues) expect([queue, await metric('portico_backlog', { queue })]).toEqual([queue, 0]);
  for (const problem of ['refused', 'refunding', 'room'])
    expect([problem, await metric('portico_payments_in_doubt', { problem })]).toEqual([problem, 0]);
  await app.db.withSystem(async tx => {
    await tx.run(sql`insert into tenants (id, slug, brand_name, brand_long_name) values (new_id(), 'acme', 'A', 'A')`);
    await tx.run(sql`insert into outbox_mails (tenant_id, id, address, language, template, next_at)
      select id, new_id(), 'a@b.example', 'en', 'confirm_email', now() - interval '90 s' from tenants where slug = 'acme'`);
    await tx.run(
      sql`insert into locations (tenant_id, id, name, time_zone, trial_end_at) select id, id, 'A', 'UTC', now() from tenants where slug = 'acme'`,
    );
    await tx.run(sql`insert into visitor_imports (tenant_id, id, location_id, source, file_name, groups, findings, total, state, started_at, progress_at)
      select id, new_id(), id, 'csv', 'a.csv', '[]', '{}', 1, state, now() - interval '1 hour', now() - interval '90 s'
      from tenants, unnest(array['running', 'reading', 'ready']) state where slug = 'acme'`);
    await tx.run(sql`insert into integrations (tenant_id, id, location_id, kind, name, connection)
      select id, id, id, 'hotel', 'A', '' from tenants where slug = 'acme'`);
    for (const state of ['waiting', 'unknown'])
      await tx.run(sql`insert into room_charges (tenant_id, id, location_id, integration_id, key, reservation, amount, currency, words, state)
        select id, new_id(), id, id, ${state}, '1', 1, 'eur', '', ${state} from tenants where slug = 'acme'`);
    for (const state of ['refused', 'refunding', 'paid'])
      await tx.run(sql`insert into purchases (tenant_id, id, location_id, provider, package, days, unit_price, amount, tax, tax_rate, currency,
          language, code, code_hash, state, updated_at)
        select id, new_id(), id, 'stripe', 'x', 1, 0, 0, 0, 0, 'eur', 'tr', '', ${Buffer.from(state)}, ${state}, now() - interval '2 hours'
        from tenants where slug = 'acme'`);
    for (const state of ['refused', 'refunding', 'paid'])
      await tx.run(sql`insert into licence_payments (tenant_id, id, location_name, host, provider, years, unit_price, amount, tax, tax_rate,
          currency, email, language, state, updated_at)
        select id, new_id(), 'A', '', 'stripe', 1, 0, 0, 0, 0, 'eur', '', 'tr', ${state}, now() - interval '2 hours'
        from tenants where slug = 'acme'`);
  });
  await runJob(app, count);
  for (const [queue, items] of [
    ['room_charges', 1],
    ['imports', 2],
  ] as const)
    expect([queue, await metric('portico_backlog', { queue })]).toEqual([queue, items]);
  const since = await metric('portico_backlog_age_seconds', { queue: 'imports' });
  expect(since, 'an import that goes on is not old').toBeLessThan(3600);
  expect(since).toBeGreaterThanOrEqual(90);
  for (const [problem, items] of [
    ['refused', 2],
    ['refunding', 2],
    ['room', 1],
  ] as const)
    expect([problem, await metric('portico_payments_in_doubt', { problem })]).toEqual([problem, items]);
  expect(await metric('portico_backlog', { queue: 'mails' })).toBe(1);
  expect(await metric('portico_backlog_age_seconds', { queue: 'mails' })).toBeGreaterThanOrEqual(90);
  expect(await metric('portico_online_guests', {})).toBe(0);
});
