import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { startDns } from '#test/dns-server.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { jobs, runJob } from '../../services/jobs.ts';

/** A tenant wants another tenant's visitors on its own sign-in page. */

let api: TestApi;
let dns: Awaited<ReturnType<typeof startDns>>;
let thief: { token: string; tenant: string };
beforeAll(async () => {
  dns = await startDns();
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

describe('a domain that its tenant lost', () => {
  let host: string;
  let record: { name: string; value: string };
  let hosts = 0;
  beforeEach(async () => {
    host = `eski-${(hosts += 1)}.example`;
    ({ record } = (await add(host)).body.data);
    dns.records.set(record.name, record.value);
    expect((await api.post(`panel/tenant/domains/${host}/check`, thief)).status).toBe(200);
  });
  const domain = async () =>
    (await api.get('panel/tenant/domains', thief)).body.data.find((it: { host: string }) => it.host === host);
  const notices = async () =>
    (await api.get('panel/notification', thief)).body.data
      .map((it: { title: string }) => it.title)
      .filter((it: string) => it.includes(host));
  /** Looks for the records `days` later. */
  const later = async (days: number) => {
    await api.inTenant(
      tx =>
        tx.run(sql`update tenant_domains set next_check_at = now(), missing_since = missing_since - make_interval(days => ${days})
          where host = ${host}`),
      'hirsiz',
    );
    await runJob(api.app, jobs.find(job => job.name === 'domains')!);
  };

  test('stops leading to it after some days, which are announced', async () => {
    await later(0);
    expect(await domain()).toMatchObject({ stops_at: null });
    dns.records.set(record.name, 'portico=of-another-owner');
    await later(0);
    expect((await domain()).stops_at).not.toBeNull();
    expect(await notices()).toEqual([`The DNS record of ${host} is missing`]);
    await later(3);
    expect(await notices()).toHaveLength(1);
    await later(3);
    expect(await notices()).toHaveLength(2);
    expect(await slugAt(host)).toBe('hirsiz');
    await later(2);
    expect(await domain()).toMatchObject({ verified_at: null, stops_at: null });
    expect((await notices())[0]).toBe(`${host} no longer leads to your panel`);
    expect(await slugAt(host)).toBe('panel');
    await later(0);
    expect(await notices()).toHaveLength(3);
  });

  test('goes on when the record comes back, or while the DNS does not answer', async () => {
    dns.records.delete(record.name);
    await later(0);
    dns.records.set(record.name, record.value);
    await later(6);
    expect(await domain()).toMatchObject({ stops_at: null });
    const { DNS_SERVERS } = api.app.settings;
    onTestFinished(() => void Object.assign(api.app.settings, { DNS_SERVERS }));
    Object.assign(api.app.settings, { DNS_SERVERS: ['127.0.0.1:1'] });
    await later(30);
    expect(await domain()).toMatchObject({ stops_at: null });
    expect(await slugAt(host)).toBe('hirsiz');
  });
});

describe('a link that names another tenant on a domain', () => {
  const host = 'wifi.kurban.example';
  const configAt = async (at: string, tenant: string) =>
    (await api.server.inject({ url: '/v1/config', headers: { host: at, 'x-tenant': tenant } })).json().data;

  test('is told that the domain is not that tenant’s, so that the panel shows the owner’s sign-in page', async () => {
    await api.inTenant(
      tx => tx.run(sql`insert into tenant_domains (host, proof, verified_at) values (${host}, 'x', now())`),
      'b',
    );
    expect(await configAt(host, 'hirsiz')).toMatchObject({ slug: 'hirsiz', foreign_host: true });
    expect(await configAt(host, 'b')).toMatchObject({ slug: 'b', foreign_host: false });
  });

  test('works on the host of the installation, where links of all tenants lead', async () => {
    for (const at of ['localhost', 'panel.localhost', '127.0.0.1'])
      expect(await configAt(at, 'hirsiz'), at).toMatchObject({ slug: 'hirsiz', foreign_host: false });
  });

  test('on the name of a tenant below an installation that gives each tenant a name', async () => {
    const named = await startApi({ PUBLIC_URL: 'https://{tenant}.portico.example' });
    for (const slug of ['acme', 'evil']) await named.tenantId(slug);
    const at = async (name: string, tenant: string) =>
      (await named.server.inject({ url: '/v1/config', headers: { host: name, 'x-tenant': tenant } })).json().data
        .foreign_host;
    expect(await at('acme.portico.example', 'evil')).toBe(true);
    expect(await at('acme.portico.example', 'acme')).toBe(false);
    expect(await at('unknown.portico.example', 'evil')).toBe(false);
  });
});
