import type { OpenidConnection } from '@portico/contract/integration-kinds.ts';
import type { Configuration } from 'openid-client';
import { discoverProvider } from '#lib/openid.ts';
import type { ConnectionTest, TestResult } from '../kinds/kind.ts';
import { IntegrationError } from '../problems.ts';

/** The hosts that guests must reach before they are online, to sign in there. */
export function hostsOf(config: Configuration): string[] {
  const { issuer, authorization_endpoint } = config.serverMetadata();
  return [...new Set([issuer, authorization_endpoint].flatMap(it => (it ? [new URL(it).hostname] : [])))];
}

export async function testOpenid({ app, connection }: ConnectionTest<OpenidConnection>): Promise<TestResult[]> {
  const config = await discoverProvider(app.settings, connection);
  const { issuer, authorization_endpoint } = config.serverMetadata();
  if (!authorization_endpoint) throw new IntegrationError('bad_answer', 'authorization_endpoint');
  return [
    { name: 'issuer', value: issuer },
    { name: 'authorization_endpoint', value: authorization_endpoint },
    { name: 'walled_garden', value: hostsOf(config).join(', ') },
  ];
}
