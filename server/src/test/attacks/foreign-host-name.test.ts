import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { startDns } from '#test/dns-server.ts';
import { startApi, type TestApi } from '#test/harness.ts';

/** A tenant wants another tenant's visitors on its own sign-in page. */

let api: TestApi;
let thief: { token: string; tenant: string };
beforeAll(async () => {
  const dns = await startDns();
  api = await startApi({ PUBLIC_URL: 'http://localhost:8080', DNS_SERVERS: dns.address });
  thief = { token: (await api.user('tenant-admin', { tenant: 'hirsiz' })).token, tenant: 'hirsiz' };
  await api.tenantId('b');
});
const slugAt = async (host: string): Promise<string> =>
  (await api.server.inject({ url: '/v1/config', headers: { host } })).json().data.slug;
const add = (host: string) => api.post('panel/tenant/domains', { ...thief, body: { host } });

describe('a host name of another tenant', () => {
  test('below the installation’s own host cannot be claimed, also when that is localhost', async () => {
    expect((await add('b.localhost')).body.errors).toHaveProperty('host');
    expect(await slugAt('b.localhost')).toBe('b');
  });

  test('claimed before this rule leads to the tenant of that name', async () => {
    await api.inTenant(
      tx =>
        tx.run(sql`insert into tenant_domains (host, proof, verified_at)
          values ('b.localhost', 'x', now()), ('panel.localhost', 'x', now())`),
      'hirsiz',
    );
    expect(await slugAt('b.localhost')).toBe('b');
    expect(await slugAt('panel.localhost')).toBe('panel');
  });

  test('without proof leads nowhere, and does not keep its owner from it', async () => {
    expect((await add('otel.example')).status).toBe(201);
    expect(await slugAt('otel.example')).toBe('panel');
    const answer = await api.post('panel/tenant/domains/otel.example/check', thief);
    expect([answer.status, answer.body.code]).toEqual([409, 'domain_unproven']);
    expect(await slugAt('otel.example')).toBe('panel');
  });
});
