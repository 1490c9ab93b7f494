import { pino } from 'pino';
import { expect, test } from 'vitest';
import { afterFile } from '#test/after-file.ts';
import { startApi } from '#test/harness.ts';
import { createApi } from './api.ts';

test('a call that is refused for want of a right is logged with who sent it, by ids only', async () => {
  const api = await startApi();
  const admin = await api.user('tenant-admin');
  const location = await api.location(admin.token, 'Otel');
  const member = await api.user('member', { location, permissions: ['view-clients'] });
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: line => void lines.push(JSON.parse(line)) });
  const server = await createApi({ ...api.app, log });
  afterFile(() => server.close());
  const ask = (token: string, url: string) =>
    server.inject({ method: 'GET', url, headers: { 'x-tenant': 'panel', authorization: `Bearer ${token}` } });
  expect((await ask(admin.token, '/v1/panel/audit')).statusCode).toBe(200);
  expect(lines).toEqual([]);
  expect((await ask(member.token, '/v1/panel/tenant/users?search=Ada')).statusCode).toBe(403);
  expect(lines).toMatchObject([
    { msg: 'not allowed', route: '/v1/panel/tenant/users', user: member.id, tenant: await api.tenantId('panel') },
  ]);
  const unknown = await ask('unknown', '/v1/panel/audit');
  expect([unknown.statusCode, unknown.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`Ada|${member.email}|${member.token}`));
});
