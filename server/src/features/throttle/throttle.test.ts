import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { startApp } from '#test/harness.ts';
import { createCallLimit } from './call-limit.ts';
import { knownBlocks } from './known-blocks.ts';
import { holdBlocks } from './testing/hold-blocks.ts';
import { forgetFadedFailures } from './throttle.queries.ts';
import { beginAttempt, createLimit, type Limit } from './throttle.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
let key = '';
beforeEach(() => {
  key = crypto.randomUUID();
});

const fail = async (limit: Limit) => (await beginAttempt(app, [[limit, key]])).failed();
/** The seconds that the next attempt has to wait; 0: none. */
async function wait(limit: Limit): Promise<number> {
  try {
    await (await beginAttempt(app, [[limit, key]])).end();
    return 0;
  } catch (error) {
    return Number((error as AppError).values['seconds']);
  }
}
/** Lets time pass for the stored counts. */
const pass = async (seconds: number) => {
  knownBlocks(app).clear();
  await app.db.withSystem(tx =>
    tx.run(sql`update throttles set fading_since = fading_since - make_interval(secs => ${seconds}),
      blocked_until = blocked_until - make_interval(secs => ${seconds}),
      under_way_until = under_way_until - make_interval(secs => ${seconds}),
      expires_at = expires_at - make_interval(secs => ${seconds})`),
  );
};
const minute = 60;
/** Ends the blocks, also those that were held. The failures stay. */
const endBlocks = async () => {
  knownBlocks(app).clear();
  await app.db.withSystem(tx => tx.run(sql`update throttles set blocked_until = '-infinity'`));
};

test('an attempt waits for one of another process under the same key, and counts it', async () => {
  const { pool } = app.db;
  const [one, other] = [await pool.connect(), await pool.connect()];
  const begin = `select begin_attempts(array[1], array[sha256('${key}')], array[2], array[60]) as waits`;
  try {
    await one.query(begin);
    await one.query('begin');
    expect((await one.query(begin)).rows).toEqual([{ waits: [0] }]);
    const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
    const later = other.query<{ waits: number[] }>(begin);
    const isWaiting = `select 1 as yes from pg_locks where pid = ${rows[0]!.pid} and not granted`;
    await expect.poll(async () => (await pool.query(isWaiting)).rows).toHaveLength(1);
    await one.query('commit');
    expect((await later).rows[0]!.waits[0]).toBeGreaterThan(0);
  } finally {
    one.release(true);
    other.release(true);
  }
});

describe('a limit', () => {
  const five = createLimit('five', 5);

  test('allows the free failures, then blocks twice as long each time', async () => {
    for (let n = 0; n < 4; n += 1) await fail(five);
    expect(await wait(five)).toBe(0);
    for (const seconds of [1, 2, 4, 8]) {
      const began = performance.now();
      await fail(five);
      const left = await wait(five);
      // On a busy machine a part of the block is over by now.
      expect(left).toBeLessThanOrEqual(seconds);
      expect(left).toBeGreaterThanOrEqual(Math.ceil(seconds - (performance.now() - began) / 1000));
      await pass(seconds);
      expect(await wait(five)).toBe(0);
    }
  });

  test('forgets one failure after the other, and all of them after a success', async () => {
    for (let n = 0; n < 5; n += 1) await fail(five);
    await pass(6 * minute);
    await fail(five);
    expect(await wait(five), 'two of five faded').toBe(0);
    await fail(five);
    await holdBlocks(app);
    expect(await wait(five)).toBeGreaterThan(0);
    await endBlocks();
    await (await beginAttempt(app, [[five, key]])).succeeded(five);
    for (let n = 0; n < 4; n += 1) await fail(five);
    expect(await wait(five)).toBe(0);
  });

  test('never blocks a venue where somebody mistypes all day long', async () => {
    const venue = createLimit('venue', 30);
    for (let n = 0; n < 90; n += 1) {
      await fail(venue);
      await pass(minute / 2);
      expect(await wait(venue)).toBe(0);
    }
  });

  test('limits guesses to the free failures of each window', async () => {
    let tries = 0;
    for (let passed = 0; passed < 60 * minute; passed += 15) {
      if ((await wait(five)) === 0) {
        await fail(five);
        tries += 1;
      }
      await pass(15);
    }
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThanOrEqual(5 * 4 + 16);
  });

  test('lets attempts that begin a key at the same moment all begin', async () => {
    // The row of the first attempt must not look blocked to one that read the time before it.
    const many = createLimit('many', 300);
    for (let round = 0; round < 20; round += 1) {
      key = crypto.randomUUID();
      const begun = await Promise.allSettled(Array.from({ length: 8 }, () => beginAttempt(app, [[many, key]])));
      const attempts = begun.filter(it => it.status === 'fulfilled').map(it => it.value);
      expect(attempts).toHaveLength(8);
      await Promise.all(attempts.map(attempt => attempt.succeeded(many)));
    }
  });

  test('limits concurrent attempts to the number that may fail', async () => {
    const three = createLimit('three', 3);
    await fail(three);
    const begun = await Promise.allSettled(Array.from({ length: 6 }, () => beginAttempt(app, [[three, key]])));
    expect(begun.filter(it => it.status === 'fulfilled')).toHaveLength(2);
    expect(await wait(three)).toBe(1);
    for (const it of begun) if (it.status === 'fulfilled') await it.value.end();
    expect(await wait(three)).toBe(0);
  });

  test('begins and ends in one transaction what arrives together, and counts each', async () => {
    const ten = createLimit('ten', 10);
    let trips = 0;
    const systemTrip: typeof app.db.systemTrip = work => (trips++, app.db.systemTrip(work));
    const rush = { ...app, db: { ...app.db, systemTrip } };
    const own = createLimit('own', 1);
    const begin = (n: number) =>
      beginAttempt(rush, [
        [ten, key],
        [own, `${key} ${n}`],
      ]);
    const begun = await Promise.allSettled(Array.from({ length: 15 }, (_, n) => begin(n)));
    const attempts = begun.filter(it => it.status === 'fulfilled').map(it => it.value);
    expect(attempts).toHaveLength(10);
    expect(trips, 'one to begin, those that were refused ask for how long').toBe(1 + 5);
    const fails = (n: number) => n < 5;
    await Promise.all(attempts.map((attempt, n) => (fails(n) ? attempt.failed() : attempt.end())));
    expect(trips).toBe(1 + 5 + 1);
    await holdBlocks(app);
    // The first ten have begun. Of an attempt that has not ended the key would not be free either.
    for (let n = 0; n < 15; n++) {
      const again = beginAttempt(app, [[own, `${key} ${n}`]]).then(attempt => attempt.end());
      if (fails(n)) await expect(again).rejects.toMatchObject({ code: 'too_many' });
      else await again;
    }
    const more = await Promise.allSettled(Array.from({ length: 10 }, () => beginAttempt(app, [[ten, key]])));
    expect(more.filter(it => it.status === 'fulfilled')).toHaveLength(5);
  });

  test.each([
    ['clears the failures when one of those that end together succeeded', true, 10],
    ['keeps the failures when those that end together neither failed nor succeeded', false, 3],
  ])('%s', async (_, succeeds, free) => {
    const ten = createLimit('ten', 10);
    for (let n = 0; n < 7; n++) await fail(ten);
    const attempts = await Promise.all(Array.from({ length: 3 }, () => beginAttempt(app, [[ten, key]])));
    expect(await wait(ten), 'as many as may fail are under way').toBe(1);
    await Promise.all(attempts.map((attempt, n) => (succeeds && n === 1 ? attempt.succeeded(ten) : attempt.end())));
    const more = await Promise.allSettled(Array.from({ length: 12 }, () => beginAttempt(app, [[ten, key]])));
    expect(more.filter(it => it.status === 'fulfilled')).toHaveLength(free);
  });

  test('clears the failures also when an attempt under another key fails together with the success', async () => {
    const ten = createLimit('ten', 10);
    for (let n = 0; n < 7; n++) await fail(ten);
    const mine = await beginAttempt(app, [[ten, key]]);
    const other = await beginAttempt(app, [[ten, `${key} of another`]]);
    await Promise.all([mine.succeeded(ten), other.failed()]);
    const more = await Promise.allSettled(Array.from({ length: 12 }, () => beginAttempt(app, [[ten, key]])));
    expect(more.filter(it => it.status === 'fulfilled')).toHaveLength(10);
  });

  test('deadlocks with nothing: batches of two processes take the same keys in any order', async () => {
    const many = createLimit('many', 300);
    const keys = Array.from({ length: 40 }, (_, n) => `${key} ${n}`);
    const process = () => ({ ...app, db: { ...app.db } });
    for (let round = 0; round < 5; round += 1) {
      const orders = [keys, [...keys].reverse(), [...keys.slice(20), ...keys.slice(0, 20)]];
      const batches = orders.map(order => {
        const one = process();
        return Promise.all(order.map(it => beginAttempt(one, [[many, `${it} ${round}`]])));
      });
      const attempts = (await Promise.all(batches)).flat();
      await Promise.all(attempts.map(attempt => attempt.failed()));
      expect(attempts).toHaveLength(orders.length * keys.length);
    }
  });

  test('begins under all keys or none', async () => {
    const one = createLimit('one', 1);
    await (await beginAttempt(app, [[one, key]])).failed();
    await holdBlocks(app);
    for (let n = 0; n < 9; n += 1)
      await expect(
        beginAttempt(app, [
          [five, `${key} other`],
          [one, key],
        ]),
      ).rejects.toMatchObject({ code: 'too_many' });
    const rest = await Promise.allSettled(Array.from({ length: 5 }, () => beginAttempt(app, [[five, `${key} other`]])));
    expect(rest.every(it => it.status === 'fulfilled')).toBe(true);
  });

  test('refuses attempts under a blocked key without asking the database each time', async () => {
    const one = createLimit('flood', 1);
    await fail(one);
    await app.db.withSystem(tx => tx.run(sql`update throttles set blocked_until = now() + interval '1 hour'`));
    let queries = 0;
    const systemTrip: typeof app.db.systemTrip = work => (queries++, app.db.systemTrip(work));
    const flood = { ...app, db: { ...app.db, systemTrip } };
    await expect(beginAttempt(flood, [[one, key]])).rejects.toMatchObject({ code: 'too_many' });
    const first = queries;
    for (let n = 0; n < 500; n += 1)
      await expect(beginAttempt(flood, [[one, key]])).rejects.toMatchObject({ code: 'too_many' });
    // Once a second it is asked whether the block was lifted.
    expect(queries - first).toBeLessThan(50);
  });

  test('holds shared keys for no longer than one message takes: begin and commit are in it', async () => {
    const refuse = () => Promise.reject(new Error('several messages'));
    const attempt = await beginAttempt({ ...app, db: { ...app.db, withSystem: refuse } }, [[five, key]]);
    await attempt.failed();
    expect(await wait(five)).toBe(0);
  });

  test('sees that another process has lifted a block', async () => {
    const one = createLimit('lifted', 1);
    await fail(one);
    await holdBlocks(app);
    expect(await wait(one)).toBeGreaterThan(0);
    await app.db.withSystem(tx => tx.run(sql`update throttles set failures = 0, blocked_until = '-infinity'`));
    await expect.poll(() => wait(one)).toBe(0);
  });

  test('forgets the attempts of a process that died, and rows without failures', async () => {
    const one = createLimit('single', 1);
    await beginAttempt(app, [[one, key]]);
    expect(await wait(one)).toBe(1);
    await pass(2 * minute);
    expect(await wait(one)).toBe(0);
    await pass(60 * minute);
    await app.db.withSystem(forgetFadedFailures);
    const { n } = await app.db.withSystem(tx => tx.one<{ n: number }>(sql`select count(*) as n from throttles`));
    expect(n).toBe(0);
  });
});

test('a limit of calls asks for no longer wait than its window, also after the clock was set back', async () => {
  await createCallLimit('test')(app, key, 1);
  await app.db.withSystem(tx => tx.run(sql`update call_counts set window_end = window_end + interval '2 days'`));
  const error = await createCallLimit('test')(app, key, 1).catch((it: AppError) => it);
  expect(error).toMatchObject({ code: 'too_many', values: { seconds: 60 } });
});
