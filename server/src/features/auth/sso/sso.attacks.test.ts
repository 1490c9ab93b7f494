import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProvider } from '#features/guests/testing/provider.ts';
import { afterFile } from '#test/after-file.ts';
import { startApi } from '#test/harness.ts';
import { browserAt, panelHost } from '../testing/passkey-user.ts';
import { client, startSsoTenant } from './testing/sso-tenant.ts';

let it: Awaited<ReturnType<typeof startSsoTenant>>;
/** A provider that lies as it is told. */
let forger: Awaited<ReturnType<typeof startProvider>>;
const everyone = [{ group: '*', role: 'auditor' }];

beforeAll(async () => {
  it = await startSsoTenant();
  forger = await startProvider(client);
  afterFile(forger.close);
});
beforeEach(async () => {
  expect((await it.save({ mappings: everyone, create_accounts: true })).status).toBe(200);
});

describe('an answer of the provider', () => {
  test('works in the browser that asked, and once', async () => {
    const { begin, provider, person } = it;
    const [mine, yours, third] = [await begin(), await begin(), await begin()];
    provider.be(person('ada'));
    const address = await provider.consent(mine.url);
    const code = async (answer: Promise<{ body: { code?: string } }>) => (await answer).body.code;
    expect(await code(yours.finish(address)), 'another browser').toBe('sso_failed');
    expect(await code(it.api.post('user/sso/finish', { body: { query: new URL(address).search } }))).toBe('sso_failed');
    expect(await code(third.finish(address, { headers: { cookie: 'sso=AAAAAAAAAAAAAAAAAAAAAAAAAAAA' } }))).toBe(
      'sso_failed',
    );
    const good = await mine.finish(address);
    expect(good.status, good.text).toBe(200);
    expect(await code(mine.finish(address)), 'a second time').toBe('sso_failed');
    const again = await begin();
    const replay = new URL(await provider.consent(again.url));
    replay.searchParams.set('code', new URL(address).searchParams.get('code')!);
    expect(await code(again.finish(replay.href)), 'a code that was used').toBe('sso_failed');
  });

  test('is refused when it was cancelled, is no answer, or names another issuer', async () => {
    const { begin, provider, person } = it;
    const refused = async (change: (address: URL) => void) => {
      const { url, finish } = await begin();
      provider.be(person('ada'));
      const address = new URL(await provider.consent(url));
      change(address);
      const { status, body } = await finish(address.href);
      return [status, body.code];
    };
    expect(await refused(at => (at.search = '?error=access_denied'))).toEqual([422, 'sso_failed']);
    expect(await refused(at => (at.search = ''))).toEqual([422, 'sso_failed']);
    expect(await refused(at => at.searchParams.set('state', 'x'))).toEqual([422, 'sso_failed']);
    expect(await refused(at => at.searchParams.set('iss', 'https://evil.example')), 'mix-up').toEqual([
      422,
      'sso_failed',
    ]);
    expect(await refused(at => at.searchParams.append('code', 'another'))).toEqual([422, 'sso_failed']);
  });

  test.for([
    ['of another issuer', { iss: 'https://evil.example' }, 'own'],
    ['for another client', { aud: 'somebody' }, 'own'],
    ['that is over', { exp: 1000 }, 'own'],
    ['of another attempt', { nonce: 'another' }, 'own'],
    ['that another key signed', {}, 'other'],
    ['that the public key signed as a secret (HS256)', {}, 'public'],
    ['that is not signed', {}, 'none'],
  ] as const)('with a token %s is refused', async ([, lie, key]) => {
    const { save, begin, person } = it;
    expect((await save({ issuer: forger.issuer, mappings: everyone, create_accounts: true })).status).toBe(200);
    forger.be(person('ada'));
    const own = await begin();
    forger.forge({});
    expect((await own.finish(forger.consent(own.url))).status).toBe(200);
    const { url, finish } = await begin();
    forger.forge(lie, key);
    const answer = await finish(forger.consent(url));
    expect([answer.status, answer.body.code]).toEqual([422, 'sso_failed']);
  });

  test('does not confirm the address of the token by another one from elsewhere', async () => {
    const { begin, person, save } = it;
    const mapping = { mappings: [{ group: 'staff', role: 'auditor' }], groups_claim: 'groups', create_accounts: true };
    forger.forge({});
    // The description of a provider is kept for a minute. A save asks for it anew.
    const attempt = async (email: string) => {
      const { sub, name } = person(`eve-${email}`);
      forger.be({ sub, name, email: 'victim@acme.example' });
      forger.tell({ email, email_verified: true, groups: ['staff'] });
      await save({ issuer: forger.issuer, client_secret: client.secret, ...mapping });
      const { url, finish } = await begin();
      return finish(forger.consent(url));
    };
    const other = await attempt('eve@acme.example');
    expect([other.status, other.body.code]).toEqual([403, 'sso_email']);
    expect((await attempt('Victim@acme.example')).status).toBe(200);
    // Nor does the token confirm an address that only the other answer has.
    forger.be({ sub: 'eve-without-address', name: 'Eve', email_verified: true });
    forger.tell({ email: 'boss@acme.example', groups: ['staff'] });
    const { url, finish } = await begin();
    const without = await finish(forger.consent(url));
    expect([without.status, without.body.code]).toEqual([403, 'sso_email']);
    forger.tell(undefined);
  });

  test('of a clock that is a little off is accepted', async () => {
    const { save, begin, person } = it;
    await save({ issuer: forger.issuer, mappings: everyone, create_accounts: true });
    forger.be(person('ada'));
    forger.forge({ exp: Math.floor(Date.now() / 1000) - 20 });
    const { url, finish } = await begin();
    expect((await finish(forger.consent(url))).status).toBe(200);
    forger.forge({});
  });

  test('is refused when the provider was changed in the meantime', async () => {
    const { begin, provider, person, save } = it;
    provider.be(person('ada'));
    const { url, finish } = await begin();
    const address = await provider.consent(url);
    await save({ issuer: forger.issuer, mappings: everyone, create_accounts: true });
    expect((await finish(address)).body.code).toBe('sso_failed');
  });
});

describe('a stranger', () => {
  const victim = async () => {
    const { api } = it;
    const user = await api.user('tenant-admin');
    const email = `kurban-${user.id.slice(-6)}@acme.example`;
    await api.inTenant(tx => tx.run(sql`update users set email = ${email} where id = ${user.id}`));
    return { ...user, email };
  };

  test('does not get an account by its address', async () => {
    const { signIn, person, api } = it;
    const { id, email } = await victim();
    for (const claims of [{ email_verified: false }, { email_verified: undefined }, { email_verified: 'false' }]) {
      const answer = await signIn(person('stranger', { email, ...claims }));
      expect([answer.status, answer.body.code]).toEqual([403, 'sso_email']);
    }
    expect((await signIn(person('stranger', { email: 'x@gmail.com' }))).body.code, 'a foreign domain').toBe(
      'sso_email',
    );
    expect((await signIn(person('stranger', { email: 'x@evil-acme.example' }))).body.code).toBe('sso_email');
    expect((await signIn(person('stranger', { email: 'x@acme.example@evil.example' }))).body.code).toBe('sso_email');
    const links = await api.inTenant(tx => tx.many(sql`select 1 from sso_links where user_id = ${id}`));
    expect(links).toEqual([]);
    const entra = await signIn(person('real', { email, email_verified: undefined, xms_edov: true }));
    expect(entra.body.data.user.id).toBe(id);
  });

  test('does not get an account by an address whose letters only become those of the account (K, the Kelvin sign)', async () => {
    const { signIn, person, api } = it;
    const { id, email } = await victim();
    const alike = email.replace('k', '\u212a');
    expect(alike.toLowerCase()).toBe(email);
    const answer = await signIn(person('kelvin', { email: alike }));
    expect([answer.status, answer.body.code]).toEqual([403, 'sso_email']);
    expect((await signIn(person('kelvin', { email: 'eve@acme.e\u212aample' }))).body.code).toBe('sso_email');
    expect(await api.inTenant(tx => tx.many(sql`select 1 from sso_links where user_id = ${id}`))).toEqual([]);
  });

  test('who registered the address of a person has no access once that person signs in', async () => {
    const { api, signIn, person } = it;
    const { id, email, token } = await victim();
    await api.inTenant(tx => tx.run(sql`update users set email_confirmed_at = null where id = ${id}`));
    expect((await signIn(person('owner', { sub: 'owner-2', email }))).body.data.user.id).toBe(id);
    expect((await api.get('panel/user/me', { token })).status).toBe(401);
    expect((await api.post('user/login', { body: { email, password: 'secret1' } })).status).toBe(401);
  });

  test('of another tenant does not get in with the provider of that tenant', async () => {
    const { api, begin, form, prove, provider, person } = it;
    await api.tenantId('rival');
    const rival = { token: (await api.user('tenant-admin', { tenant: 'rival' })).token, tenant: 'rival' };
    await prove('rival.example', rival);
    const body = {
      ...form({ issuer: forger.issuer, mappings: everyone, create_accounts: true, emergency_user_id: null }),
    };
    const stolen = await api.put('panel/tenant/sso', { ...rival, body });
    expect([stolen.status, Object.keys(stolen.body.errors)], 'the domain of another tenant').toEqual([
      422,
      ['domains'],
    ]);
    const own = await api.put('panel/tenant/sso', { ...rival, body: { ...body, domains: ['rival.example'] } });
    expect(own.status, own.text).toBe(200);
    provider.be(person('ada'));
    forger.be(person('ada', { email: 'ada@rival.example' }));
    forger.forge({});
    const here = await begin();
    const there = await begin('rival');
    const swapped = await there.finish(await provider.consent(here.url));
    expect([swapped.status, swapped.body.code]).toEqual([422, 'sso_failed']);
    const crossed = await here.finish(forger.consent(there.url));
    expect(crossed.body.code).toBe('sso_failed');
    const tricked = await begin('rival');
    const { token } = (await tricked.finish(forger.consent(tricked.url))).body.data;
    expect((await api.get('panel/user/me', { token })).status, 'a token of one tenant').toBe(401);
    expect((await api.get('panel/user/me', { token, tenant: 'rival' })).status).toBe(200);
  });

  test('does not choose where the browser goes', async () => {
    const { api } = it;
    const at = async (host: string) =>
      browserAt(api, host)('POST', 'user/sso', { body: { redirect: 'https://evil.example' } });
    const { searchParams } = new URL((await at(panelHost)).body.data.url);
    expect(searchParams.get('redirect_uri')).toBe(`http://${panelHost}/auth/sso`);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)!.length).toBeGreaterThan(40);
    expect((await at('acme.example')).body.data.url).toContain(encodeURIComponent('http://acme.example:8080/auth/sso'));
    const refused = await at('evil.example');
    expect([refused.status, refused.body.code]).toEqual([409, 'sso_host']);
  });

  test('does not reach the domain rule with a domain that is no longer proven', async () => {
    const { api, signIn, person } = it;
    const set = (at: string | null) =>
      api.inTenant(tx => tx.run(sql`update tenant_domains set verified_at = ${at} where host = 'acme.example'`));
    await set(null);
    expect((await signIn(person('ada'))).body.code).toBe('sso_email');
    await set(new Date().toISOString());
    expect((await signIn(person('ada'))).status).toBe(200);
  });
});

test('an installation that keeps out of its own network asks no provider there', async () => {
  const api = await startApi();
  const { token } = await api.user('tenant-admin');
  await api.inTenant(tx =>
    tx.run(sql`insert into tenant_domains (host, proof, verified_at) values ('acme.example', 'x', now())`),
  );
  const asked = forger.asked();
  for (const issuer of [
    forger.issuer,
    'https://127.0.0.1:9',
    'https://localhost/',
    'https://[::1]/',
    'https://169.254.169.254/',
  ]) {
    const answer = await api.put('panel/tenant/sso', { token, body: it.form({ issuer, emergency_user_id: null }) });
    expect([answer.status, Object.keys(answer.body.errors)], issuer).toEqual([422, ['issuer']]);
  }
  expect(forger.asked()).toBe(asked);
});
