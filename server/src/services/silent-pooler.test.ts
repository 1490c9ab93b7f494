import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import { startFragileDatabase } from '#test/fragile-database.ts';
import { portico } from '#test/portico.ts';
import { freePorts, startProcess } from '#test/process.ts';

test('a process is away while a pooler keeps its queries', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-silent-pooler-'));
  const pooler = await startFragileDatabase();
  const direct = new URL(inject('postgres').replace('@/', '@localhost/'));
  direct.pathname = `/${new pg.Client({ connectionString: pooler.url }).database}`;
  const ports = await freePorts();
  const settings = {
    ...{ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct.href, SECRET_KEY: 'k'.repeat(32), SERVICES: 'api' },
    ...{ ADMIN_EMAIL: 'a@b.example', ADMIN_PASSWORD: 'secret1secret' },
  };
  const server = await startProcess(folder, { ...settings, ...ports });
  afterFile(async () => {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  const ask = () => fetch(`http://127.0.0.1:${ports.PORT}/readyz`).then(async it => [it.status, await it.json()]);
  await expect.poll(ask).toEqual([200, { status: 'ok' }]);
  pooler.fallSilent();
  expect(await ask()).toEqual([503, { status: 'away' }]);
  // The command gives up after four seconds, and a busy machine may answer it later than that once.
  const health = async () => {
    const { code, out } = await portico(['health'], { ...settings, ...ports });
    return { code, out: out.trim() };
  };
  await expect.poll(health).toEqual({ code: 1, out: 'away' });
});
