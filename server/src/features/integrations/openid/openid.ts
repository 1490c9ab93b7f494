import type { OpenidConnection } from '@portico/contract/integration-kinds.ts';
import type { Configuration, CustomFetch } from 'openid-client';
import type { App } from '#lib/app.ts';
import { outboundRequest } from '#lib/outbound-http.ts';
import type { ConnectionTest, TestResult } from '../kinds/kind.ts';
import { IntegrationError } from '../problems.ts';

const timeoutMs = 8000;

/** Fetches only allowed addresses, because the provider chooses the URLs of its endpoints. */
function guardedFetch({ settings }: App): CustomFetch {
  return async (url, { method, headers, body }) => {
    const answer = await outboundRequest({
      url,
      method,
      headers,
      body: body === null || body === undefined ? undefined : String(body),
      allowInside: settings.INTEGRATIONS_INSIDE,
      timeoutMs,
    });
    const type = answer.headers['content-type'];
    // Responses of these statuses must not have a body.
    const bare = [101, 204, 205, 304].includes(answer.status);
    return new Response(bare ? null : answer.text, {
      status: answer.status,
      headers: type ? { 'content-type': type } : {},
    });
  };
}

/** The provider's own description (discovery document). */
export async function discover(app: App, it: OpenidConnection): Promise<Configuration> {
  const issuer = new URL(it.issuer);
  const plain = issuer.protocol === 'http:';
  // Only for development. Over plain HTTP, an eavesdropper could sign in as anybody.
  if (plain && !app.settings.INTEGRATIONS_INSIDE) throw new IntegrationError('not_safe', it.issuer);
  const { allowInsecureRequests, customFetch, discovery, enableNonRepudiationChecks } = await import('openid-client');
  return discovery(issuer, it.client_id, { client_secret: it.client_secret }, undefined, {
    timeout: timeoutMs / 1000,
    [customFetch]: guardedFetch(app),
    // Signatures are checked although the token comes directly from the provider.
    execute: [enableNonRepudiationChecks, ...(plain ? [allowInsecureRequests] : [])],
  });
}

/** The hosts that guests must reach before they are online, to sign in there. */
export function hostsOf(config: Configuration): string[] {
  const { issuer, authorization_endpoint } = config.serverMetadata();
  return [...new Set([issuer, authorization_endpoint].flatMap(it => (it ? [new URL(it).hostname] : [])))];
}

export async function testOpenid({ app, connection }: ConnectionTest<OpenidConnection>): Promise<TestResult[]> {
  const config = await discover(app, connection);
  const { issuer, authorization_endpoint } = config.serverMetadata();
  if (!authorization_endpoint) throw new IntegrationError('bad_answer', 'authorization_endpoint');
  return [
    { name: 'issuer', value: issuer },
    { name: 'authorization_endpoint', value: authorization_endpoint },
    { name: 'walled_garden', value: hostsOf(config).join(', ') },
  ];
}
