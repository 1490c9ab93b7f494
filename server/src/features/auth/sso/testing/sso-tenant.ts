import { afterFile } from '#test/after-file.ts';
import { startDns } from '#test/dns-server.ts';
import { type Body, startApi } from '#test/harness.ts';
import { browserAt, panelHost } from '../../testing/passkey-user.ts';
import { startIdentityProvider } from './identity-provider.ts';

export const redirectUri = `http://${panelHost}/auth/sso`;
export const client = { id: 'portico', secret: 'their secret', redirectUris: [redirectUri] };

/** A tenant with the proven domain acme.example, an identity provider, and an emergency account. */
export async function startSsoTenant() {
  const dns = await startDns();
  const api = await startApi({
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_URL: `http://${panelHost}`,
    INTEGRATIONS_INSIDE: '1',
    DNS_SERVERS: dns.address,
  });
  const provider = await startIdentityProvider(client);
  afterFile(provider.close);
  const admin = await api.user('tenant-admin');

  /** Adds a domain, with the record that proves it. */
  async function prove(host: string, as: { token: string; tenant?: string } = admin): Promise<void> {
    const made = await api.post('panel/tenant/domains', { ...as, body: { host } });
    const { record } = made.body.data;
    dns.records.set(record.name, record.value);
    await api.post(`panel/tenant/domains/${host}/check`, as);
  }
  await prove('acme.example');

  const form = (more: object = {}) => ({
    enabled: true,
    label: 'Acme',
    issuer: provider.issuer,
    client_id: client.id,
    client_secret: client.secret,
    domains: ['acme.example'],
    emergency_user_id: admin.id,
    ...{ groups_claim: 'groups', mappings: [], create_accounts: false, enforced: false },
    ...more,
  });
  const save = (more: object = {}, token = admin.token) => api.put('panel/tenant/sso', { token, body: form(more) });

  /** Begins in a browser. */
  const begin = async (tenant = 'panel') => {
    const browser = browserAt(api);
    const answer = await browser('POST', 'user/sso', { tenant });
    const finish = (address: string, ask: object = {}) =>
      browser('POST', 'user/sso/finish', { tenant, body: { query: new URL(address).search }, ...ask });
    return { answer, url: answer.body.data?.url as string, finish };
  };
  /** The whole way of a person, in a new browser. */
  const signIn = async (person: { sub: string; [claim: string]: unknown }) => {
    provider.be(person);
    const { url, finish } = await begin();
    return finish(await provider.consent(url));
  };
  const person = (name: string, more: object = {}) => ({
    sub: `id-${name}`,
    name: `${name} Deniz`,
    email: `${name}@acme.example`,
    email_verified: true,
    groups: [] as string[],
    ...more,
  });
  const me = async (token: string): Promise<Body> => (await api.get('panel/user/me', { token })).body.data;
  return { api, dns, provider, admin, prove, form, save, begin, signIn, person, me };
}
