import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';
import { createApi } from './api.ts';

const script = 'document.documentElement.classList.add("dark")';
let server: Awaited<ReturnType<typeof createApi>>;

beforeAll(async () => {
  const { app } = await startApi();
  const manual = path.join(app.settings.DATA_DIR, 'manual');
  mkdirSync(path.join(manual, 'tr'), { recursive: true });
  mkdirSync(path.join(manual, 'assets'));
  for (const page of ['index', 'visitors', '404', 'tr/index'])
    writeFileSync(
      path.join(manual, `${page}.html`),
      `<title>${page}</title><script type="module" src="/help/assets/app.js"></script><script id="x">${script}</script>`,
    );
  writeFileSync(path.join(manual, 'assets/app.js'), 'export {};');
  server = await createApi(app, { manual });
});
afterAll(() => server.close());

test.each([
  ['/help/', 'index'],
  ['/help/visitors', 'visitors'],
  ['/help/visitors?from=panel', 'visitors'],
  ['/help/tr/', 'tr/index'],
])('%s is the page %s of the manual, for everyone', async (url, page) => {
  const { statusCode, body } = await server.inject({ url });
  expect([statusCode, body]).toEqual([200, expect.stringContaining(`<title>${page}</title>`)]);
});

test.each([
  ['tr-TR,tr;q=0.9', '/help/tr/'],
  ['de', '/help/'],
])('/help leads a reader of %s to %s', async (language, location) => {
  const reply = await server.inject({ url: '/help', headers: { 'accept-language': language } });
  expect(reply.statusCode).toBe(302);
  expect(reply.headers.location).toBe(location);
});

test('pages run their own scripts and no others', async () => {
  const hash = createHash('sha256').update(script).digest('base64');
  for (const url of ['/help/', '/help/visitors', '/help/nothing']) {
    const policy = String((await server.inject({ url })).headers['content-security-policy']);
    expect(policy, url).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy, url).toContain("frame-ancestors 'none'");
    expect(policy, url).not.toMatch(/unsafe-eval|script-src[^;]*unsafe/);
  }
});

test('an unknown page is a 404 of the manual, and no file outside it can be read', async () => {
  const missing = await server.inject({ url: '/help/nothing' });
  expect([missing.statusCode, missing.body]).toEqual([404, expect.stringContaining('<title>404</title>')]);
  for (const url of ['/help/../package.json', '/help/..%2f..%2fpackage.json', '/help/assets/%2e%2e/%2e%2e/settings.ts'])
    expect((await server.inject({ url })).statusCode, url).toBeGreaterThanOrEqual(400);
});
