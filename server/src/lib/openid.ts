import type { Configuration, CustomFetch } from 'openid-client';
import type { Settings } from '../settings.ts';
import { createCache } from './cache.ts';
import { outboundRequest } from './outbound-http.ts';

/** Sign-in with OpenID Connect: authorization code with PKCE, state and nonce. */

export interface OpenidClient {
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
}

/** The values that a browser must bring back. They bind the provider's answer to this browser. */
export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export type Claims = Record<string, unknown> & { readonly iss: string; readonly sub: string };

/** Over plain HTTP, an eavesdropper could sign in as any person. */
export class PlainIssuer extends Error {
  override readonly name = 'PlainIssuer';
}

/** The host of a web address by its plain name. Routers get these names in scripts, where an empty one would open all hosts. */
function plainHost(address: string | undefined): string[] {
  const { protocol, hostname } = (address && URL.parse(address)) || { protocol: '', hostname: '' };
  return /^https?:$/.test(protocol) && hostname.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(hostname)
    ? [hostname]
    : [];
}

/** The hosts that people must reach to sign in. Without a description of the provider: that of its name. */
export const signInHosts = ({ issuer }: Pick<OpenidClient, 'issuer'>, config?: Configuration): string[] => [
  ...new Set([issuer, config?.serverMetadata().authorization_endpoint].flatMap(plainHost)),
];

const timeoutMs = 8000;
/** How far the clock of a provider may be off. */
const skewSeconds = 60;

/** Fetches only allowed addresses, because the provider chooses the URLs of its endpoints. */
function guardedFetch({ INTEGRATIONS_INSIDE: allowInside }: Settings): CustomFetch {
  return async (url, { method, headers, body }) => {
    const text = body === null || body === undefined ? undefined : String(body);
    const answer = await outboundRequest({ url, method, headers, body: text, allowInside, timeoutMs });
    const type = answer.headers['content-type'];
    // Responses of these statuses must not have a body.
    const bare = [101, 204, 205, 304].includes(answer.status);
    return new Response(bare ? null : answer.text, {
      status: answer.status,
      headers: type ? { 'content-type': type } : {},
    });
  };
}

/** Descriptions only. The keys of a provider may be beside its description, and may change right after a sign-in. */
const isDescription = /\/\.well-known\/(openid-configuration|oauth-authorization-server)$/;

/** The descriptions of providers, by their addresses. */
const descriptions = createCache<string, Response>({ maxEntries: 500, ttlMs: 60_000 });

const rememberingFetch =
  (ask: CustomFetch, { anew }: { anew: boolean }): CustomFetch =>
  async (url, options) => {
    if (options.method !== 'GET' || !isDescription.test(url)) return ask(url, options);
    const known = anew ? undefined : descriptions.get(url);
    if (known) return known.clone();
    const answer = await ask(url, options);
    if (answer.ok) descriptions.set(url, answer.clone());
    return answer;
  };

/** The provider's own description (discovery document), asked for now. Its keys are fetched with each token. */
export const discoverProvider = (settings: Settings, it: OpenidClient): Promise<Configuration> =>
  discover(settings, it, { anew: true });

/** The same for a sign-in, with a description of the last minute, because many people sign in at once. */
export const knownProvider = (settings: Settings, it: OpenidClient): Promise<Configuration> =>
  discover(settings, it, { anew: false });

async function discover(settings: Settings, it: OpenidClient, how: { anew: boolean }): Promise<Configuration> {
  const issuer = new URL(it.issuer);
  const plain = issuer.protocol === 'http:';
  // Only for development.
  if (plain && !settings.INTEGRATIONS_INSIDE) throw new PlainIssuer(it.issuer);
  const { allowInsecureRequests, clockTolerance, customFetch, discovery, enableNonRepudiationChecks } = await import(
    'openid-client'
  );
  const client = { client_secret: it.client_secret, [clockTolerance]: skewSeconds };
  return discovery(issuer, it.client_id, client, undefined, {
    timeout: timeoutMs / 1000,
    [customFetch]: rememberingFetch(guardedFetch(settings), how),
    // Signatures are checked although the token comes directly from the provider.
    execute: [enableNonRepudiationChecks, ...(plain ? [allowInsecureRequests] : [])],
  });
}

/** The address to which the browser goes, and the values that must come back. */
export async function beginOpenid(
  config: Configuration,
  redirectUri: string,
): Promise<{ url: string; checks: Checks } | undefined> {
  const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
    await import('openid-client');
  const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await calculatePKCECodeChallenge(checks.verifier),
    code_challenge_method: 'S256',
  });
  // People follow this link, and the provider chooses it: it must not be a script address.
  return /^https?:$/.test(url.protocol) ? { url: url.href, checks } : undefined;
}

/** Whether an answer belongs to these values. Otherwise the person cancelled, or it is the answer to another request. */
export const answersTo = (query: string, { state }: Checks): boolean => {
  const answer = new URLSearchParams(query);
  return Boolean(answer.get('code')) && answer.get('state') === state;
};

/**
 * The claims of the account that signed in. `query` is that of the callback. If the token lacks something (`isComplete`), the
 * provider's userinfo endpoint is asked, if it has one. Throws when a check fails.
 */
export async function finishOpenid(
  config: Configuration,
  it: { redirectUri: string; query: string; checks: Checks; isComplete: (claims: Claims) => boolean },
): Promise<Claims> {
  const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
  const tokens = await authorizationCodeGrant(config, new URL(`${it.redirectUri}?${it.query}`), {
    pkceCodeVerifier: it.checks.verifier,
    expectedState: it.checks.state,
    expectedNonce: it.checks.nonce,
    idTokenExpected: true,
  });
  const claims: Claims = { ...tokens.claims()! };
  if (it.isComplete(claims) || !config.serverMetadata().userinfo_endpoint) return claims;
  const more: Record<string, unknown> = await fetchUserInfo(config, tokens.access_token, claims.sub).catch(() => ({}));
  const addressIn = (it: Record<string, unknown>) => claimEmail(it) ?? String(it['email'] ?? '');
  // An answer says of its own address only that it was checked.
  if (addressIn(claims) !== addressIn(more))
    for (const name of ['email_verified', 'xms_edov']) delete (addressIn(claims) ? more : claims)[name];
  return { ...more, ...claims };
}

/**
 * The address of a person, in lower case; null without one. Only for ASCII letters is the lower case certain to be the same
 * address. The Kelvin sign would become a k, and so another person's address.
 */
export function claimEmail(claims: Readonly<Record<string, unknown>>): string | null {
  const email = claimText(claims['email'], 254);
  return email && /^[\x21-\x7e]+$/.test(email) ? email.toLowerCase() : null;
}

/** The text of a claim in one line. */
export const claimText = (value: unknown, maxLength: number): string | null =>
  typeof value === 'string' && value.trim()
    ? value
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, maxLength)
    : null;
