import { beforeEach, expect, test } from 'vitest';
import { makeScene, type Scene } from '#features/sessions/testing/scene.ts';
import { startApp } from '#test/harness.ts';

/**
 * The attack: someone on the path between router and server records the Accounting-Requests of a guest and sends them again when
 * the guest has left. The guest would be online again, and the record would name the guest for what others do.
 */

const app = await startApp();
let scene: Scene;
let visitor: string;
beforeEach(async () => {
  scene = await makeScene(app);
  visitor = await scene.addVisitor('ada', 'pw');
});
const signIn = async () => {
  const decision = await scene.signIn({ user: 'ada', password: 'pw' });
  return { user: 'ada', class: (decision as { class: string }).class };
};

test('records of a session that ended begin no other one, however late they come again', async () => {
  const guest = await signIn();
  await scene.send('start', { ...guest, ago: 7200 });
  await scene.send('interim', { ...guest, ago: 7000, seconds: 200, up: 50 });
  await scene.send('stop', { ...guest, ago: 6900, seconds: 300, up: 70 });
  const closed = await scene.closed();
  await scene.send('start', { ...guest, ago: 3600 });
  await scene.send('interim', { ...guest, ago: 3400, seconds: 200, up: 50 });
  await scene.send('start', { ...guest, ago: 0 });
  await scene.send('stop', { ...guest, ago: 0, seconds: 300, up: 70 });
  expect(await scene.open()).toEqual([]);
  expect(await scene.closed()).toEqual(closed);
  expect(closed).toMatchObject([{ visitor_id: visitor, close_reason: 'stop', seconds: 300, upload: 70 }]);
});

test('the id of a session that ended is free for another sign-in', async () => {
  const guest = await signIn();
  await scene.send('start', { ...guest, ago: 7200 });
  await scene.send('stop', { ...guest, ago: 6900, seconds: 300 });
  await scene.send('start', { ...(await signIn()), ago: 60 });
  expect(await scene.open()).toMatchObject([{ visitor_id: visitor }]);
  expect(await scene.closed()).toHaveLength(1);
});

test('records of a sign-in of months ago begin and keep nothing, although its session is not looked for', async () => {
  const { class: today, user } = await signIn();
  const day = Math.floor(Date.now() / 86_400_000);
  expect(today).toMatch(new RegExp(`${day.toString(16)}$|${(day - 1).toString(16)}$`));
  const token = today!.slice(0, 32) + (day - 63).toString(16).padStart(4, '0');
  for (const status of ['start', 'interim', 'stop'] as const)
    await scene.send(status, { class: token, user, ago: 0, seconds: 300, up: 70 });
  expect([await scene.open(), await scene.closed()]).toEqual([[], []]);
  // One that has run since then goes on.
  await scene.send('interim', { class: token, user, ago: 0, seconds: 62 * 86_400, up: 70 });
  expect(await scene.open()).toMatchObject([{ visitor_id: visitor }]);
  // Its router may send no Acct-Session-Time.
  await scene.send('stop', { class: token, user, ago: 0, up: 90 });
  expect([await scene.open(), await scene.closed()]).toMatchObject([[], [{ close_reason: 'stop', upload: 90 }]]);
});
