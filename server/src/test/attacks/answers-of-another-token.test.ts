import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: a program has a personal token of an administrator, for one location. It sends a request with an Idempotency-Key that
 * the administrator, or another program of theirs, used: the numbers of orders are easy to guess. The stored answer is about
 * another location.
 */

let api: TestApi;
let admin: string;
let other: string;
let thief: string;
let sibling: string;
beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
  const [mine, theirs] = [await api.location(admin, 'Benim'), await api.location(admin, 'Başka')];
  other = theirs;
  const token = async (location_id: string) => {
    const form = { name: 'ERP', location_id, permissions: ['store-clients', 'view-clients'] };
    return (await api.post('panel/user/token', { token: admin, body: form })).body.data.token as string;
  };
  thief = await token(mine);
  sibling = await token(other);
});

const add = (token: string, key: string, username: string) =>
  api.post('panel/client', {
    token,
    headers: { 'idempotency-key': key },
    body: { location_id: other, name: 'Gizli', provider_type: 'username', username, password: 'gizli 123' },
  });

test.for(['the administrator', 'another program'] as const)('the answer to %s stays theirs', async by => {
  const [token, key] = [by === 'the administrator' ? admin : sibling, `order ${by}`];
  const username = by.replace(' ', '-');
  expect((await add(token, key, username)).status).toBe(201);
  const stolen = await add(thief, key, username);
  expect([stolen.status, stolen.headers.get('idempotency-replayed')]).toEqual([422, null]);
  expect(stolen.text).not.toContain('Gizli');
  // The key of the thief is another one, so it takes none from its owner.
  const again = await add(token, key, username);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
});
