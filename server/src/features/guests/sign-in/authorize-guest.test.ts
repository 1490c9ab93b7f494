import { expect, test } from 'vitest';
import { isUnavailable } from '#db/errors.ts';
import type { WithSystem } from '#db/tenant.ts';
import { newId } from '#lib/ids.ts';
import { startApp } from '#test/harness.ts';
import type { GuestContext } from '../guest-context.ts';
import { createAuthorizer } from './authorize-guest.ts';

const app = await startApp();
const unknown = { username: 'ada', mac: 'A0:00:00:00:00:01', ip: '10.5.50.9' };
const at = (tenantId: string) => ({ tenantId, device_id: newId() }) as GuestContext;
const failure = (code: string) => Object.assign(new Error(code), { code });

/** Guests of a database whose queries fail as `fails` says; `asked` counts them. */
function guestsOf(fails: (asked: number) => Promise<void>) {
  let asked = 0;
  const systemTrip: WithSystem = async work => {
    await fails(++asked);
    return app.db.systemTrip(work);
  };
  const authorize = createAuthorizer({ ...app, db: { ...app.db, systemTrip } });
  return {
    asked: () => asked,
    ask: (count: number, tenantOf: (n: number) => string = newId) =>
      Array.from({ length: count }, (_, n) => authorize(at(tenantOf(n)), unknown)),
  };
}

test.each(['ECONNREFUSED', '57014', '57P03', '53300', 'XX000'])(
  'guests are asked about once when the database fails with %s',
  async code => {
    const guests = guestsOf(() => Promise.reject(failure(code)));
    const answers = await Promise.allSettled(guests.ask(40));
    expect(answers).toEqual(answers.map(() => ({ status: 'rejected', reason: failure(code) })));
    expect(guests.asked()).toBe(1);
  },
);

test('a batch is decided again as a whole after a deadlock, also after a second one', async () => {
  const guests = guestsOf(async asked => {
    if (asked <= 2) throw failure('40P01');
  });
  const answers = await Promise.all(guests.ask(40));
  expect(answers.map(it => it.reason)).toEqual(answers.map(() => 'unknown_device'));
  expect(guests.asked()).toBe(3);
});

test('a batch that meets a deadlock each time ends', async () => {
  const guests = guestsOf(() => Promise.reject(failure('40P01')));
  const answers = await Promise.allSettled(guests.ask(40));
  expect(answers.every(it => it.status === 'rejected')).toBe(true);
  expect(guests.asked()).toBe(4);
});

test('one guest’s bad input does not fail the others, and is found by halves', async () => {
  const guests = guestsOf(() => Promise.resolve());
  const answers = await Promise.allSettled(guests.ask(32, n => (n === 20 ? 'no id' : newId())));
  expect(answers.flatMap((it, n) => (it.status === 'rejected' ? [n, it.reason.code] : []))).toEqual([20, '22P02']);
  expect(guests.asked()).toBe(11);
});

test('guests who were decided keep their decision when the database goes away in the middle of a batch', async () => {
  const guests = guestsOf(async asked => {
    if (asked > 2) throw failure('ECONNREFUSED');
  });
  const answers = await Promise.allSettled(guests.ask(32, n => (n === 20 ? 'no id' : newId())));
  expect(answers.map(it => it.status)).toEqual(answers.map((_, n) => (n < 16 ? 'fulfilled' : 'rejected')));
});

test('a guest behind too many others is told at once that the database is away', async () => {
  const guests = guestsOf(() => new Promise(() => undefined));
  // Two batches of 50 run.
  const waiting = guests.ask(1100);
  const [next] = guests.ask(1);
  await expect(next).rejects.toSatisfy(isUnavailable);
  expect(await Promise.race([...waiting, 'they wait'])).toBe('they wait');
});
