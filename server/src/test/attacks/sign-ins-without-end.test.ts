import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { startApi } from '../harness.ts';

/** The attack: someone who has the password of an account signs in again and again, so that the table of sign-ins grows without end. */
test('an account has a hundred sign-ins at once; the one that was not used for the longest time ends', async () => {
  const api = await startApi();
  const user = await api.user('tenant-admin');
  const other = await api.user('tenant-admin');
  const count = (id: string) =>
    api.inTenant(
      async tx => (await tx.one<{ n: number }>(sql`select count(*) as n from tokens where user_id = ${id}`)).n,
    );
  await api.inTenant(tx =>
    tx.run(sql`
      insert into tokens (id, user_id, hash, expires_at, last_used_at)
      select new_id(), ${user.id}, sha256(int4send(n)), now() + interval '1 day', now() + make_interval(secs => n)
      from generate_series(1, 99) n`),
  );
  const me = (token: string) => api.get('panel/user/me', { token });
  const signIn = () => api.post('user/login', { body: { email: user.email, password: 'secret1' } });
  expect((await me(user.token)).status).toBe(200);
  expect((await signIn()).status).toBe(200);
  expect(await count(user.id)).toBe(100);
  expect((await me(user.token)).status).toBe(401);
  expect((await me(other.token)).status).toBe(200);
});
