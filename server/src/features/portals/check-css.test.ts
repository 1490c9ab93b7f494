import type { Permission } from '@portico/contract/permissions.ts';
import { beforeAll, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';

let api: Awaited<ReturnType<typeof startApi>>;
let token: string;
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
}, 120_000);

const check = (custom_css: unknown, by = token) =>
  api.post('panel/portal/css', { token: by, body: { styles: { custom_css } }, language: 'en' });

test('custom CSS is checked before it is saved', async () => {
  expect((await check('.title { letter-spacing: 0.02em }')).status).toBe(204);
  expect((await check('')).status).toBe(204);
  const wrong = await check('.title { letter-spacing: 0.02em }\n.title { position: fixed }');
  expect(wrong.status).toBe(422);
  expect(Object.keys(wrong.body.errors)).toEqual(['styles.custom_css']);
  expect(wrong.body.errors['styles.custom_css'][0]).toMatch(/2/);
  expect((await check('a'.repeat(5000))).status).toBe(422);
  expect((await check(7)).status).toBe(422);
});

test('only a user who sees portals checks it', async () => {
  const location = await api.location(token, 'Otel');
  const asked = async (permissions: Permission[]) =>
    (await check('.title { padding: 0 }', (await api.user('member', { location, permissions })).token)).status;
  expect([await asked(['view-portals']), await asked(['view-clients'])]).toEqual([204, 403]);
  expect((await check('.title { padding: 0 }', 'none')).status).toBe(401);
});
