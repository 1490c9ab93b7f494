import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { holdBlocks } from '#features/throttle/testing/hold-blocks.ts';
import { takeMails } from '#mail/testing.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { stepAt, totpCode } from './totp.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ TRUST_PROXY: '127.0.0.1' });
});

/** Slightly below the 250 ms of the service, as timers may fire early. */
const minimumMs = 240;

let addresses = 0;
/** Every call from another address, so that the limit per address does not interfere. */
const from = () => ({ 'x-forwarded-for': `10.0.${++addresses >> 8}.${addresses & 255}` });
const forgot = (email: string, headers = from()) => api.post('user/forgot-password', { body: { email }, headers });
const reset = (
  email: string,
  code: string,
  password = 'yepyeni-1',
  confirmation = password,
  headers: Record<string, string> = from(),
) =>
  api.post('user/reset-password', {
    headers,
    body: { email, code, password, password_confirmation: confirmation },
  });
/** The newest code mailed to an address. */
async function codeFor(email: string): Promise<string> {
  const mails = (await takeMails(api.app)).filter(it => it.to.includes(email) && /\d{6}/.test(it.subject));
  return /\d{6}/.exec(mails.at(-1)!.subject)![0];
}
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a forgotten password', () => {
  test('is replaced with the mailed code, which ends every sign-in', async () => {
    const { email, token } = await api.user('member');
    expect((await forgot(email.toUpperCase())).status).toBe(204);
    const code = await codeFor(email);
    expect((await reset(email, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(204);
    expect((await api.get('panel/user/me', { token })).status).toBe(401);
    expect((await api.post('user/login', { body: { email, password: 'secret1' } })).status).toBe(401);
    expect((await api.post('user/login', { body: { email, password: 'yepyeni-1' } })).status).toBe(200);
    expect((await takeMails(api.app)).map(it => it.subject)).toEqual([
      'Your panel password was changed',
      'New sign-in to your panel account',
    ]);
    expect((await reset(email, code)).body.errors.code).toBeDefined();
  });

  describe('stays as it is when a thief with an old sign-in', () => {
    type Late = () => ReturnType<TestApi['post']>;
    const cases: [what: string, prepare: (token: string) => Late | Promise<Late>][] = [
      [
        'sets another password at the same moment',
        token => () => {
          const password = 'hirsizin-1';
          const body = { password, password_confirmation: password, current_password: 'secret1' };
          return api.put('panel/user/me', { token, body });
        },
      ],
      [
        'turns a second factor on at the same moment',
        async token => {
          const begun = await api.post('panel/user/two-factor', { token, body: { password: 'secret1' } });
          const { secret } = begun.body.data;
          return () => {
            const body = { code: totpCode(secret, stepAt(Date.now())) };
            return api.post('panel/user/two-factor/confirm', { token, body });
          };
        },
      ],
    ];
    test.for(cases)('%s', async ([, prepare]) => {
      const { email, token } = await api.user('member');
      const late = await prepare(token);
      await forgot(email);
      const code = await codeFor(email);
      const locks = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      const waiting = async () => (await api.app.db.pool.query(locks)).rowCount;
      let asked: ReturnType<TestApi['post']>[] = [];
      await api.inTenant(async tx => {
        await tx.run(sql`select from users where email = ${email} for update`);
        asked = [reset(email, code)];
        await expect.poll(waiting).toBe(1);
        asked.push(late());
        await expect.poll(waiting).toBe(2);
      });
      expect((await Promise.all(asked)).map(it => it.status)).toEqual([204, 401]);
      expect((await api.post('user/login', { body: { email, password: 'yepyeni-1' } })).status).toBe(200);
    });
  });

  test('ends the personal tokens with it, because a thief may have made them', async () => {
    const { email, token } = await api.user('tenant-admin');
    const body = { name: 'ERP', permissions: ['view-clients'] };
    const made = await api.post('panel/user/token', { token, body });
    const read = async () => (await api.get('panel/client', { token: made.body.data.token })).status;
    expect(await read()).toBe(200);
    await forgot(email);
    expect((await reset(email, await codeFor(email))).status).toBe(204);
    expect(await read()).toBe(401);
  });

  test('needs no e-mail on the network where the code was requested', async () => {
    const { email } = await api.user('member');
    const headers = from();
    await forgot(email, headers);
    const body = { code: await codeFor(email), password: 'yepyeni-1', password_confirmation: 'yepyeni-1' };
    const elsewhere = await api.post('user/reset-password', { headers: from(), body });
    expect(elsewhere.body.errors).toEqual({ email: ['This field is required.'] });
    const wrong = { ...body, code: wrongOf(body.code) };
    expect((await api.post('user/reset-password', { headers, body: wrong })).body.errors).toHaveProperty('code');
    expect((await api.post('user/reset-password', { headers, body })).status).toBe(204);
    expect((await api.post('user/login', { body: { email, password: 'yepyeni-1' } })).status).toBe(200);
  });

  test('does not reveal whether the address exists: same answer, same minimum time, no mail', async () => {
    const { email } = await api.user('member');
    const time = async (work: () => Promise<{ status: number; text: string }>) => {
      const began = performance.now();
      const { status, text } = await work();
      return { answer: { status, text }, ms: performance.now() - began };
    };
    const known = await time(() => forgot(email));
    const unknown = await time(() => forgot('nobody@example.com'));
    expect(known.answer).toEqual(unknown.answer);
    // Each answer waits for the same minimum, which a busy machine can only prolong.
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(minimumMs);
    const right = await time(() => reset(email, '000000'));
    const wrong = await time(() => reset('nobody@example.com', '000000'));
    expect(right.answer).toEqual(wrong.answer);
    for (const { ms } of [right, wrong]) expect(ms).toBeGreaterThan(minimumMs);
    expect((await takeMails(api.app)).some(it => it.to.includes('nobody'))).toBe(false);
  });

  test('allows five tries; then a new code is needed', async () => {
    const { email } = await api.user('member');
    const headers = from();
    await forgot(email, headers);
    const code = await codeFor(email);
    const there = (typed: string) => reset(email, typed, 'yepyeni-1', 'yepyeni-1', headers);
    for (let n = 0; n < 5; n++) expect((await there(wrongOf(code))).body.errors.code).toBeDefined();
    expect((await there(code)).status).toBe(422);
    await forgot(email, headers);
    expect((await there(await codeFor(email))).status).toBe(204);
  });

  test('allows five tries even if they are concurrent', async () => {
    const { email } = await api.user('member');
    await forgot(email);
    const code = await codeFor(email);
    const all = await Promise.all(Array.from({ length: 8 }, () => reset(email, wrongOf(code))));
    expect(all.filter(it => it.status === 422).length).toBeLessThanOrEqual(5);
    await holdBlocks(api.app);
    expect((await reset(email, code)).status).toBe(429);
  });

  test('accepts a code once, even if it is sent twice at once', async () => {
    const { email } = await api.user('member');
    await forgot(email);
    const code = await codeFor(email);
    const statuses = (await Promise.all([reset(email, code, 'birinci-1'), reset(email, code, 'ikinci-2')])).map(
      it => it.status,
    );
    expect(statuses.sort()).toEqual([204, 422]);
  });

  test('accepts only the newest code, for fifteen minutes and for its own user and tenant', async () => {
    const { email } = await api.user('member');
    await forgot(email);
    const first = await codeFor(email);
    await api.inTenant(tx => tx.run(sql`delete from reset_codes`));
    await forgot(email);
    const second = await codeFor(email);
    if (first !== second) expect((await reset(email, first)).status).toBe(422);
    const other = await api.user('member');
    await forgot(other.email);
    expect((await reset(other.email, second)).status).toBe(422);
    await api.tenantId('elsewhere');
    const away = { email, code: second, password: 'yepyeni-1', password_confirmation: 'yepyeni-1' };
    expect((await api.post('user/reset-password', { tenant: 'elsewhere', body: away })).status).toBe(422);
    await api.inTenant(tx => tx.run(sql`update reset_codes set expires_at = now() - interval '1 second'`));
    expect((await reset(email, second)).body.errors).toEqual({ code: ['The code is wrong or no longer valid.'] });
  });

  test('requires a valid password and its repetition, without using up a try', async () => {
    const { email } = await api.user('member');
    await forgot(email);
    const code = await codeFor(email);
    for (let n = 0; n < 6; n++) expect((await reset(email, code, 'kısa')).body.errors.password).toBeDefined();
    expect((await reset(email, code, 'yepyeni-1', 'baska-bir')).body.errors.password_confirmation).toBeDefined();
    expect((await reset(email, code)).status).toBe(204);
  });

  test('mails at most five codes an hour for one network', async () => {
    const { email } = await api.user('member');
    const headers = from();
    for (let n = 0; n < 7; n++) expect((await forgot(email, headers)).status).toBe(204);
    const mails = (await takeMails(api.app)).filter(it => it.to.includes(email));
    expect(mails).toHaveLength(5);
    expect((await reset(email, /\d{6}/.exec(mails.at(-1)!.subject)![0])).status).toBe(204);
  });

  test('slows down an address with many requests', async () => {
    const headers = from();
    const statuses = [];
    for (let n = 0; n < 20; n++) statuses.push((await forgot(`stranger${n}@example.com`, headers)).status);
    await holdBlocks(api.app);
    statuses.push((await forgot('stranger20@example.com', headers)).status);
    expect(statuses[0]).toBe(204);
    expect(statuses.at(-1)).toBe(429);
  });
});
