import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '#http/refusal.ts';
import type { App } from '#lib/app.ts';
import { startApp } from '#test/harness.ts';
import { gather, gatherWorks } from './gather.ts';
import type { Tx, WithTenant } from './tenant.ts';

const tenant = '00000000-0000-4000-8000-000000000001';
let app: App;
beforeAll(async () => {
  app = await startApp();
});

describe('gather', () => {
  test('asks what arrives together in one batch, and answers in the order of the questions', async () => {
    const batches: number[] = [];
    const twice = gather(async (all: readonly number[]) => {
      batches.push(all.length);
      return all.map(n => 2 * n);
    });
    expect(await Promise.all([1, 2, 3].map(twice))).toEqual([2, 4, 6]);
    expect(batches).toEqual([3]);
  });

  test('fails one bad question alone', async () => {
    const ask = gather(async (all: readonly string[]) => {
      const numbers = await app.db.withSystem(tx =>
        tx.many<{ n: number }>(sql`select unnest(${all}::text[])::int as n`),
      );
      return numbers.map(it => it.n);
    });
    const [a, b, c] = await Promise.allSettled(['1', 'x', '3'].map(ask));
    expect(a).toMatchObject({ value: 1 });
    expect(b).toMatchObject({ reason: { code: '22P02' } });
    expect(c).toMatchObject({ value: 3 });
  });

  test('refuses what is too much to wait, as while the database is away', async () => {
    const answered = Promise.withResolvers<void>();
    const ask = gather(async (all: readonly number[]) => {
      await answered.promise;
      return all;
    });
    const asked = Promise.allSettled(Array.from({ length: 1500 }, (_, n) => ask(n)));
    answered.resolve();
    const refused = (await asked).filter(it => it.status === 'rejected').map(it => it.reason);
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(refusal(error, 'en')).toMatchObject({ status: 503, retryAfter: 5 });
  });
});

describe('works in one transaction', () => {
  const transactionOf = (work: WithTenant) =>
    work(tenant, async tx => (await tx.one<{ id: string }>(sql`select pg_current_xact_id()::text as id`)).id);

  test('share it when they begin together, and not later', async () => {
    const together = gatherWorks(app.db);
    const first = await Promise.all(Array.from({ length: 10 }, () => transactionOf(together)));
    expect(new Set(first).size).toBe(1);
    expect(first).not.toContain(await transactionOf(together));
  });

  test('fail alone: those beside a failed one are done again', async () => {
    const together = gatherWorks(app.db);
    const settled = await Promise.allSettled([
      transactionOf(together),
      together(tenant, async tx => {
        await tx.run(sql`select 1`);
        throw new Error('of this one');
      }),
      together(tenant, tx => tx.run(sql`select 1 / 0`)),
      transactionOf(together),
    ]);
    expect(settled.map(it => it.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: { message: 'of this one' } });
    expect(settled[2]).toMatchObject({ reason: { code: '22012' } });
  });

  test('do not wait for one of them that waits for a lock, which goes on waiting alone', async () => {
    const together = gatherWorks(app.db);
    const lock = (tx: Tx) => tx.run(sql`select pg_advisory_xact_lock(4711)`);
    const settled: string[] = [];
    const works = await app.db.withTenant(tenant, async holder => {
      await lock(holder);
      const one = together(tenant, lock).finally(() => settled.push('waiting'));
      const others = Array.from({ length: 9 }, () => transactionOf(together));
      expect(new Set(await Promise.all(others)).size, 'each in its own').toBe(9);
      // More that wait for it do not occupy the batches that run at once.
      const more = [];
      for (let n = 0; n < 3; n++) {
        more.push(together(tenant, lock));
        await transactionOf(together);
        expect(await transactionOf(together)).toBeTruthy();
      }
      expect(settled).toEqual([]);
      return { all: [one, ...more] };
    });
    await Promise.all(works.all);
    expect(settled).toEqual(['waiting']);
  });
});
