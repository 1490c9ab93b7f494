import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hashPassword, insertUser } from '#features/auth/public.ts';
import { newId } from '#lib/ids.ts';
import { startApi } from '../harness.ts';
import { freePorts, type ServerProcess, startProcess } from '../process.ts';

/**
 * The attack: signing in to a production installation with the demo's public password, because the database ran the demo
 * before. The first start in production must close the account and end its sign-ins.
 */

const demo = { email: 'demo@portico.local', password: 'portico-demo' };
const folder = mkdtempSync(path.join(tmpdir(), 'portico-demo-account-'));
let server: ServerProcess | undefined;
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the demo account of an earlier demo cannot sign in to production', async () => {
  const api = await startApi();
  const passwordHash = await hashPassword(demo.password);
  const names = { firstName: 'Deniz', lastName: 'Demo', phone: '', language: 'en' as const };
  await api.inTenant(tx =>
    insertUser(tx, { id: newId(), ...names, email: demo.email, passwordHash, role: 'tenant-admin' }),
  );
  const before = await api.post('user/login', { body: demo });
  expect(before.status).toBe(200);

  const ports = await freePorts();
  const { connectionString } = api.app.db.pool.options;
  server = await startProcess(folder, {
    ...ports,
    NODE_ENV: 'production',
    DATABASE_URL: connectionString!.replace('@/', '@localhost/'),
    SERVICES: 'api',
  });
  const call = (path: string, init: RequestInit) =>
    fetch(`http://127.0.0.1:${ports.PORT}/v1/${path}`, init).then(answer => answer.status);
  const body = JSON.stringify(demo);
  const headers = { 'content-type': 'application/json' };
  expect(await call('user/login', { method: 'POST', headers, body })).toBe(401);
  const old = { authorization: `Bearer ${before.body.data.token}` };
  expect(await call('panel/user/me', { headers: old })).toBe(401);
});
