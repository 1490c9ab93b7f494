import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const scripts = fileURLToPath(new URL('.', import.meta.url));
const checkout = mkdtempSync(path.join(tmpdir(), 'portico-start-'));
afterAll(() => rmSync(checkout, { recursive: true }));

test('npm start passes NODE_ENV on and has no default for it, so that the one in .env counts', () => {
  cpSync(scripts, path.join(checkout, 'scripts'), { recursive: true });
  writeFileSync(path.join(checkout, 'scripts/build.mjs'), 'export const build = async () => undefined;');
  writeFileSync(
    path.join(checkout, 'scripts/lib/install.mjs'),
    'export const ensureInstalled = async () => undefined;',
  );
  mkdirSync(path.join(checkout, 'server/dist'), { recursive: true });
  writeFileSync(path.join(checkout, 'server/dist/main.js'), 'process.stdout.write(String(process.env.NODE_ENV));');
  const start = (env: Record<string, string>) =>
    spawnSync(process.execPath, [path.join(checkout, 'scripts/start.mjs')], {
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
    }).stdout;
  expect(start({})).toBe('undefined');
  expect(start({ NODE_ENV: 'production' })).toBe('production');
});
