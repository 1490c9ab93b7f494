import { beforeAll, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';
import { makeScene, type Scene } from './testing/scene.ts';

const api = await startApi();
let scene: Scene;
let admin: string;
let beach: string;
let visitor: string;

beforeAll(async () => {
  scene = await makeScene(api.app, await api.tenantId('panel'));
  admin = (await api.user('tenant-admin')).token;
  beach = await api.location(admin, 'Plaj');
  const form = { name: 'Eve', provider_type: 'username', username: 'eve', password: 'parola1', location_id: beach };
  const made = await api.post('panel/client', { token: admin, body: form });
  expect(made.status, made.text).toBe(201);
  visitor = made.body.data.id;
});

const attempts = async (token: string) => (await api.get('panel/failed-login', { token })).body.data[0].attempts;

test('a user name of another location is told with its visitor, to callers who see that location', async () => {
  const { token: member } = await api.user('member', { location: scene.locationId });
  const { token: auditor } = await api.user('auditor');
  await scene.signIn({ user: 'eve', password: 'parola1' });
  const elsewhere = { id: visitor, name: 'Eve', location: { id: beach, name: 'Plaj' } };
  expect(await attempts(admin)).toMatchObject([{ reason: 'wrong_credentials', is_known: false, elsewhere }]);
  expect(await attempts(auditor)).toMatchObject([{ elsewhere }]);
  expect(await attempts(member), 'of one location').toMatchObject([{ is_known: false, elsewhere: null }]);

  await scene.signIn({ user: 'unknown', password: 'parola1' });
  await scene.addVisitor('eve', 'another');
  await scene.signIn({ user: 'eve', password: 'wrong' });
  const [known, unknown, before] = await attempts(admin);
  expect(known).toMatchObject({ is_known: true, elsewhere: null });
  expect(unknown).toMatchObject({ is_known: false, elsewhere: null });
  expect(before, 'the visitor who was added later is not elsewhere').toMatchObject({ elsewhere });
});
