import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';
import { createApi } from './api.ts';

let panel: Awaited<ReturnType<typeof createApi>>;

beforeAll(async () => {
  const { app } = await startApi();
  const root = path.join(app.settings.DATA_DIR, 'panel');
  mkdirSync(path.join(root, 'assets'), { recursive: true });
  writeFileSync(path.join(root, 'index.html'), '<title>The panel</title>');
  writeFileSync(path.join(root, 'assets/screen.js'), 'export {};');
  writeFileSync(path.join(root, 'assets/screen.js.br'), 'compressed');
  mkdirSync(path.join(root, '.vite'));
  writeFileSync(path.join(root, '.vite/manifest.json'), '{}');
  panel = await createApi(app, { panel: root });
});
afterAll(() => panel.close());

test.each(['gzip, deflate, br', 'identity'])('screens have their page, files themselves (%s)', async encoding => {
  const get = (url: string) => panel.inject({ url, headers: { 'accept-encoding': encoding } });
  for (const url of ['/', '/?x=1', '/devices', '/devices/', '/assets/']) {
    const { statusCode, body } = await get(url);
    expect([url, statusCode, body]).toEqual([url, 200, '<title>The panel</title>']);
  }
  expect((await get('/assets/screen.js')).statusCode).toBe(200);
  expect((await panel.inject({ method: 'HEAD', url: '/assets/screen.js' })).statusCode).toBe(200);
  for (const url of ['/assets/gone.js', '/assets/.screen.js']) expect((await get(url)).statusCode, url).toBe(404);
  for (const url of ['/v1', '/v1?x=1', '/v1/', '/v1/nothing']) expect((await get(url)).statusCode, url).toBe(404);
  expect((await get('/.vite/manifest.json')).statusCode).toBe(404);
  for (const url of [
    '/../package.json',
    '/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/settings.ts',
    '/assets/..%2findex.html',
    '/assets/%252e%252e%252findex.html',
  ])
    expect((await get(url)).statusCode, url).toBeGreaterThanOrEqual(400);
});

test('parts of a page carry only the headers that a browser needs of them', async () => {
  const { headers, body } = await panel.inject({ url: '/assets/screen.js', headers: { 'accept-encoding': 'br' } });
  expect(body).toBe('compressed');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  // A screen loads dozens of them, so the heads are a large part of its first view.
  expect(JSON.stringify(headers).length).toBeLessThan(500);
  for (const name of ['content-security-policy', 'x-ratelimit-limit', 'x-request-id', 'last-modified', 'etag'])
    expect(headers).not.toHaveProperty(name);
});

test('the health check answers', async () => {
  expect((await panel.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(200);
  expect((await panel.inject({ method: 'HEAD', url: '/v1/nothing' })).statusCode).toBe(404);
});

test('the panel cannot be framed, runs no foreign script, and other sites cannot read its answers', async () => {
  const headers = { origin: 'https://stranger.example' };
  const page = await panel.inject({ url: '/devices', headers });
  const policy = String(page.headers['content-security-policy']);
  for (const rule of ["script-src 'self';", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"])
    expect(policy).toContain(rule);
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(page.headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  for (const { headers } of [page, await panel.inject({ url: '/v1/config' })])
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  const answer = await panel.inject({ url: '/v1/config', headers });
  expect(answer.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'");
  for (const { headers } of [page, answer]) expect(headers).not.toHaveProperty('access-control-allow-origin');
});
