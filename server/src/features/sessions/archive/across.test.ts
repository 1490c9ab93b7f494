import { expect, test } from 'vitest';
import type { Tx } from '#db/tenant.ts';
import { newId } from '#lib/ids.ts';
import { readSettings, type Settings } from '../../../settings.ts';
import { acrossArchive } from './across.ts';
import type { ArchivedBatch } from './archive.queries.ts';

const settings = (environment: Record<string, string>) => readSettings({ environment }) as Settings;
const withArchive = settings({ LOG_DATABASE_URL: 'http://127.0.0.1:1/archive' });
const may: ArchivedBatch = { batch: 1, since: 1000, until: 2000, rows: 1 };
const june: ArchivedBatch = { batch: 2, since: 2000, until: 3000, rows: 1 };

/** A reader to whom each look at the list of batches shows the next of `lists`. */
function reader(lists: readonly (readonly ArchivedBatch[])[], using = withArchive) {
  const left = [...lists];
  let looks = 0;
  const tx: Tx = {
    many: async () => {
      looks++;
      return JSON.parse(JSON.stringify(left.length > 1 ? left.shift() : left[0]));
    },
    nested: () => Promise.reject(new Error('not expected')),
    maybe: () => Promise.reject(new Error('not expected')),
    one: () => Promise.reject(new Error('not expected')),
    run: () => Promise.reject(new Error('not expected')),
    useGenericPlans: () => undefined,
  };
  return {
    on: { app: { settings: using }, tenantId: newId(), read: <T>(work: (of: Tx) => Promise<T>) => work(tx) },
    looks: () => looks,
  };
}
const steps = (answers: string[], span = { since: 0, until: 9000 }) => ({
  prepare: async (_: Tx, batches: readonly ArchivedBatch[]) => ({ span, names: batches.map(it => it.batch).join() }),
  find: async (_: unknown, { names }: { names: string }) => names,
  answer: async (_: Tx, found: string | undefined) => {
    answers.push(found ?? 'nothing');
    return found ?? 'nothing';
  },
});

test('an answer during which a month moved is made again', async () => {
  const answers: string[] = [];
  // Before: May. Behind the answer: May and June. Then it stays so.
  const { on } = reader([[may], [june, may], [june, may]]);
  expect(await acrossArchive(on, steps(answers))).toBe('2,1');
  expect(answers).toEqual(['1', '2,1']);
});

test('so is one before which nothing was archived', async () => {
  const answers: string[] = [];
  const { on } = reader([[], [may], [may]]);
  expect(await acrossArchive(on, steps(answers))).toBe('1');
  expect(answers).toEqual(['nothing', '1']);
});

test('while nothing is archived, one look behind the answer is enough, and the first batch is seen', async () => {
  const own = settings({ LOG_DATABASE_URL: 'http://127.0.0.1:1/archive' });
  const answers: string[] = [];
  const first = reader([[]], own);
  await acrossArchive(first.on, steps(answers));
  expect(first.looks()).toBe(2);
  const second = reader([[]], own);
  await acrossArchive(second.on, steps(answers));
  expect(second.looks()).toBe(1);
  expect(await acrossArchive(reader([[may]], own).on, steps(answers))).toBe('1');
  expect(answers).toEqual(['nothing', 'nothing', 'nothing', '1']);
});

test('months that move all the time end in a refusal, not in a wrong list', async () => {
  const { on } = reader(Array.from({ length: 40 }, (_, i) => [{ ...may, batch: i }]));
  await expect(acrossArchive(on, steps([]))).rejects.toMatchObject({ code: 'away' });
});

test('without ClickHouse nothing is asked but the answer', async () => {
  const { on, looks } = reader([[may]], settings({}));
  expect(await acrossArchive(on, steps([]))).toBe('nothing');
  expect(looks()).toBe(0);
});
