import { createHash } from 'node:crypto';
import type { OpenidConnection } from '@portico/contract/integration-kinds.ts';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import { noteFailed, noteWorked } from '../health.ts';
import { findOpenid } from '../integrations.queries.ts';
import { problemOf } from '../problems.ts';
import { discover } from './openid.ts';
import { redirectUri } from './redirect-uri.ts';

interface At {
  readonly tenantId: string;
  readonly slug: string;
  readonly locationId: string;
  readonly integrationId: string;
}

/** What a guest's browser must bring back, so that nobody else's answer is taken for its own. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Person {
  /** Names the account for good, whatever its address becomes. */
  readonly externalId: string;
  readonly name: string;
  readonly email: string | null;
}

// A provider hardly ever changes, and a lobby full of guests should not ask it each time.
const configurations = createCache<string, Configuration>({ maxEntries: 500, ttlMs: 600_000 });

async function providerOf(app: App, at: At): Promise<Configuration | undefined> {
  const row = await app.db.withTenant(at.tenantId, tx => findOpenid(tx, at.locationId, at.integrationId));
  if (!row) return undefined;
  const known = configurations.get(row.connection);
  if (known) return known;
  try {
    const config = await discover(app, JSON.parse(app.secrets.decrypt(row.connection)) as OpenidConnection);
    configurations.set(row.connection, config);
    return config;
  } catch (error) {
    await app.db.withTenant(at.tenantId, tx => noteFailed(tx, row, problemOf(error)));
    return undefined;
  }
}

/** Where a guest signs in, and what must come back with it; undefined when the provider is away or not this location's. */
export async function beginSocial(app: App, at: At): Promise<{ url: string; checks: Checks } | undefined> {
  const config = await providerOf(app, at);
  if (!config) return undefined;
  const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(app, at.slug),
    scope: 'openid email profile',
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: 'S256',
  });
  // Guests press this as a link: from a provider's own description it could be anything that a browser runs.
  if (!/^https?:$/.test(url.protocol)) return undefined;
  return { url: url.href, checks };
}

const text = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' && value.trim()
    ? value
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, maxLength)
    : null;

/** Who has signed in there; undefined when nothing came of it. `query` is that of the callback. */
export async function finishSocial(app: App, at: At, query: string, checks: Checks): Promise<Person | undefined> {
  const config = await providerOf(app, at);
  if (!config) return undefined;
  const which = await app.db.withTenant(at.tenantId, tx => findOpenid(tx, at.locationId, at.integrationId));
  if (!which) return undefined;
  // The guest's own no, or an answer that is not to our question, says nothing about the provider.
  const answer = new URLSearchParams(query);
  if (!answer.get('code') || answer.get('state') !== checks.state) return undefined;
  try {
    const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri(app, at.slug)}?${query}`), {
      pkceCodeVerifier: checks.verifier,
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const asks = !claims['email'] && config.serverMetadata().userinfo_endpoint;
    const more = asks ? await fetchUserInfo(config, tokens.access_token, claims.sub).catch(() => ({})) : {};
    const all: Record<string, unknown> = { ...more, ...claims };
    // An address that the provider has not seen proven could be anybody's.
    const email = all['email_verified'] === false ? null : (text(all['email'], 254)?.toLowerCase() ?? null);
    await app.db.withTenant(at.tenantId, tx => noteWorked(tx, which));
    return {
      externalId: createHash('sha256').update(`${claims.iss}|${claims.sub}`).digest('hex').slice(0, 32),
      name: text(all['name'], 120) ?? email ?? claims.sub.slice(0, 60),
      email,
    };
  } catch (error) {
    app.log.warn({ integration: at.integrationId, why: (error as Error).message }, 'a sign-in elsewhere failed');
    const { code } = error as { code?: string };
    // The code was used, is too old, or was never given: the guest's matter. Else it is the connection's.
    if ((error as { error?: string }).error !== 'invalid_grant' && code !== 'OAUTH_INVALID_RESPONSE')
      await app.db.withTenant(at.tenantId, tx => noteFailed(tx, which, problemOf(error)));
    return undefined;
  }
}
