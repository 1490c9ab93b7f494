import type { DoctorCheck } from '@portico/contract/device-doctor.ts';
import { type RouterOptions, startRouter } from '@portico/simulator/router.ts';
import sql, { type Sql } from 'sql-template-tag';
import { expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { ayse, startRadiusVenue } from '#test/radius-venue.ts';

const {
  api,
  token,
  location_id,
  radius,
  addDevice: add,
} = await startRadiusVenue({ COA_TIMEOUT: '1' }, { seenEveryMs: 0 });

let routers = 0;
/** A router with this device's script and one signed-in guest. It listens for CoA at its own address. */
async function plugIn(
  device: { id: string; nas_identifier: string; secret: string },
  more: Partial<RouterOptions> = {},
) {
  const { authPort, acctPort } = radius;
  routers += 1;
  const address = `127.31.0.${routers}`;
  const { nas_identifier: nasIdentifier, secret } = device;
  const router = await startRouter({
    ...{ nasIdentifier, secret, address, coaPort: 3799 },
    ...{ radius: { host: '127.0.0.1', authPort, acctPort }, ...more },
  });
  await router.signIn(router.lease({ mac: `02:00:00:00:02:0${routers}` }), ayse.username, ayse.password);
  await router.settled();
  return router;
}
/** The results of an examination that has begun. */
async function finished(id: string): Promise<Record<string, DoctorCheck>> {
  for (;;) {
    const answer = await api.get(`panel/device/${id}/doctor`, { token });
    expect(answer.status, answer.text).toBe(200);
    const checks: DoctorCheck[] = answer.body.data;
    if (!checks.some(check => check.state === 'running')) return Object.fromEntries(checks.map(it => [it.name, it]));
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
async function examine(id: string): Promise<Record<string, DoctorCheck>> {
  const answer = await api.post(`panel/device/${id}/doctor`, { token });
  expect(answer.status, answer.text).toBe(200);
  return finished(id);
}
const statesOf = (checks: Record<string, DoctorCheck>) =>
  Object.fromEntries(Object.values(checks).map(({ name, state, reason }) => [name, `${state} ${reason}`]));

test('has no results for a device that never sent anything', async () => {
  const checks = await examine((await add()).id);
  const unknown = 'unknown none';
  const radius = { secret: unknown, sign_in: unknown, accounting: unknown, coa: unknown, clock: unknown };
  expect(statesOf(checks)).toEqual({ ...radius, garden: unknown, login_page: unknown });
});

test('reports a working router as ok', async () => {
  const device = await add();
  const router = await plugIn(device);
  try {
    await expect
      .poll(async () => statesOf(await examine(device.id)))
      .toMatchObject({
        secret: 'ok ok',
        sign_in: 'ok ok',
        accounting: 'ok ok',
        coa: 'ok ok',
        clock: 'ok ok',
      });
    router.behaveOnCoa('silent');
    expect((await examine(device.id))['coa']).toMatchObject({ state: 'failed', reason: 'silent' });
    router.behaveOnCoa('nak');
    expect((await examine(device.id))['coa']).toMatchObject({ state: 'failed', reason: 'refused' });
    expect(router.sessions(), 'no guest was signed out').toHaveLength(1);
  } finally {
    await router.close();
  }
});

test('answers at once, and asks a router that is silent only once at a time', async () => {
  const device = await add();
  const router = await plugIn(device);
  try {
    await expect.poll(async () => (await examine(device.id))['coa']).toMatchObject({ state: 'ok' });
    router.behaveOnCoa('silent');
    const before = router.coaRequests();
    const coaNow = (answer: { body: Body }) => answer.body.data.find((it: DoctorCheck) => it.name === 'coa');
    const [one, other] = await Promise.all([0, 1].map(() => api.post(`panel/device/${device.id}/doctor`, { token })));
    expect([coaNow(one!).state, coaNow(other!).state]).toEqual(['running', 'running']);
    expect(coaNow(one!).at).toBeNull();
    expect((await finished(device.id))['coa']).toMatchObject({ state: 'failed', reason: 'silent' });
    // Two attempts for both calls together.
    expect(router.coaRequests() - before).toBe(2);
  } finally {
    await router.close();
  }
});

test('reports a wrong secret and its source address', async () => {
  const device = await add();
  // Nothing answers it, so it need not wait for long.
  const router = await plugIn({ ...device, secret: 'another-secret' }, { timeoutMs: 500 });
  try {
    await expect
      .poll(async () => (await examine(device.id))['secret'])
      .toMatchObject({ state: 'failed', reason: 'wrong', address: router.address });
    const shown = async () => (await api.get(`panel/device/${device.id}`, { token })).body.data.wrong_secret;
    expect(await shown()).toMatchObject({ address: router.address });
    const mended = await plugIn(device);
    await expect.poll(shown).toBeNull();
    await mended.close();
  } finally {
    await router.close();
  }
});

test('reports when accounting stopped while guests sign in, and its recovery', async () => {
  const device = await add();
  const accounting = async () => (await examine(device.id))['accounting']!;
  const first = await plugIn(device);
  await expect.poll(async () => (await accounting()).state).toBe('ok');
  await first.close();
  // Its accounting goes to a closed port.
  const deaf = await plugIn(device, {
    radius: { host: '127.0.0.1', authPort: radius.authPort, acctPort: 9 },
    attempts: 1,
  });
  const elevenMinutesAgo = sql`now() - interval '11 minutes'`;
  try {
    // The first packets may be stored only now, so their time is moved back on every attempt.
    const silentSince = async (moment: Sql) => {
      await api.inTenant(tx => tx.run(sql`update devices set acct_seen_at = ${moment} where id = ${device.id}`));
      return accounting();
    };
    await expect.poll(() => silentSince(elevenMinutesAgo)).toMatchObject({ state: 'failed', reason: 'stopped' });
    const notLong = sql`now() - interval '9 minutes'`;
    expect(await silentSince(notLong), 'it may only be late').toMatchObject({ state: 'ok' });
    await silentSince(elevenMinutesAgo);
    expect(new Date((await accounting()).at!).getTime()).toBeLessThan(Date.now() - 10 * 60_000);
    await api.inTenant(tx => tx.run(sql`update devices set auth_seen_at = acct_seen_at where id = ${device.id}`));
    expect(await accounting(), 'no sign-in since').toMatchObject({ state: 'ok' });
  } finally {
    await deaf.close();
  }
  const mended = await plugIn(device);
  try {
    await expect.poll(accounting).toMatchObject({ state: 'ok' });
  } finally {
    await mended.close();
  }
});

test('reports the error of a wrong clock', async () => {
  const device = await add();
  const router = await plugIn(device, { clockSkew: -4000 });
  try {
    await expect
      .poll(async () => (await examine(device.id))['clock'])
      .toMatchObject({ state: 'failed', reason: 'skewed' });
    const { seconds } = (await examine(device.id))['clock']!;
    expect(Math.abs(seconds! + 4000)).toBeLessThan(30);
    for (const [skew, state] of [
      [300, 'ok'],
      [-301, 'failed'],
    ] as const) {
      await api.inTenant(tx => tx.run(sql`update devices set clock_skew = ${skew} where id = ${device.id}`));
      expect((await examine(device.id))['clock'], String(skew)).toMatchObject({ state, seconds: skew });
    }
  } finally {
    await router.close();
  }
});

test('checks only supported functions of a WatchGuard, and only devices of the caller', async () => {
  const device = await add('watchguard');
  expect(Object.keys(await examine(device.id))).toEqual(['garden', 'sign_in']);
  const stranger = await api.user('member', { location: location_id, permissions: ['view-devices'] });
  expect((await api.post(`panel/device/${device.id}/doctor`, { token: stranger.token })).status).toBe(403);
  const limited = await api.user('member', { location: location_id, deviceIds: [(await add()).id] });
  for (const method of ['GET', 'POST'])
    expect((await api.ask(method, `panel/device/${device.id}/doctor`, { token: limited.token })).status).toBe(404);
});
