import { createHash } from 'node:crypto';
import type { OpenidConnection } from '@portico/contract/integration-kinds.ts';
import type { Configuration } from 'openid-client';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import { reportFailure, reportRecovery } from '../health.ts';
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

/** The values that a guest's browser must bring back. They bind the provider's answer to this browser. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface SignedInAccount {
  /** Identifies the account permanently, even if its e-mail address changes. */
  readonly externalId: string;
  readonly name: string;
  readonly email: string | null;
}

// Cached: a provider's description rarely changes, and many guests sign in at once.
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
    await app.db.withTenant(at.tenantId, tx => reportFailure(tx, row, problemOf(error)));
    return undefined;
  }
}

/**
 * The sign-in address and the values that must come back. Undefined if the provider is unreachable or belongs to
 * another location.
 */
export async function beginSocial(app: App, at: At): Promise<{ url: string; checks: Checks } | undefined> {
  const config = await providerOf(app, at);
  if (!config) return undefined;
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
    await import('openid-client');
  const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(app, at.slug),
    scope: 'openid email profile',
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: 'S256',
  });
  // Guests follow this link, and the provider chooses it: it must not be a script address.
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

/** The account that signed in; undefined if the sign-in failed. `query` is that of the callback. */
export async function finishSocial(
  app: App,
  at: At,
  query: string,
  checks: Checks,
): Promise<SignedInAccount | undefined> {
  const config = await providerOf(app, at);
  if (!config) return undefined;
  const which = await app.db.withTenant(at.tenantId, tx => findOpenid(tx, at.locationId, at.integrationId));
  if (!which) return undefined;
  // The guest cancelled, or the answer belongs to another request. Neither is a failure of the provider.
  const answer = new URLSearchParams(query);
  if (!answer.get('code') || answer.get('state') !== checks.state) return undefined;
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
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
    // An address that the provider did not verify could belong to anybody.
    const email = all['email_verified'] === false ? null : (text(all['email'], 254)?.toLowerCase() ?? null);
    await app.db.withTenant(at.tenantId, tx => reportRecovery(tx, which));
    return {
      externalId: createHash('sha256').update(`${claims.iss}|${claims.sub}`).digest('hex').slice(0, 32),
      name: text(all['name'], 120) ?? email ?? claims.sub.slice(0, 60),
      email,
    };
  } catch (error) {
    app.log.warn(
      { integration: at.integrationId, why: (error as Error).message },
      'sign-in with an OpenID provider failed',
    );
    const { code } = error as { code?: string };
    // A used, expired or invented code is the guest's problem. Any other failure is the connection's.
    if ((error as { error?: string }).error !== 'invalid_grant' && code !== 'OAUTH_INVALID_RESPONSE')
      await app.db.withTenant(at.tenantId, tx => reportFailure(tx, which, problemOf(error)));
    return undefined;
  }
}
