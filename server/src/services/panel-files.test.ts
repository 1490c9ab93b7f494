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
  expect((await get('/assets/gone.js')).statusCode).toBe(404);
  expect((await get('/v1/nothing')).statusCode).toBe(404);
  for (const url of ['/../package.json', '/..%2f..%2fpackage.json', '/assets/%2e%2e/%2e%2e/settings.ts'])
    expect((await get(url)).statusCode, url).toBeGreaterThanOrEqual(400);
});
