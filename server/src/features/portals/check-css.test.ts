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
  expect((await check('.title { padding: 0 }', 'none')).status).toBe(401);
});
