import type { OpenidConnection } from '@portico/contract/integration-kinds.ts';
import { discoverProvider, signInHosts } from '#lib/openid.ts';
import type { ConnectionTest, TestResult } from '../kinds/kind.ts';
import { IntegrationError } from '../problems.ts';

export async function testOpenid({ app, connection }: ConnectionTest<OpenidConnection>): Promise<TestResult[]> {
  const config = await discoverProvider(app.settings, connection);
  const { issuer, authorization_endpoint } = config.serverMetadata();
  if (!authorization_endpoint) throw new IntegrationError('bad_answer', 'authorization_endpoint');
  return [
    { name: 'issuer', value: issuer },
    { name: 'authorization_endpoint', value: authorization_endpoint },
    { name: 'walled_garden', value: signInHosts(connection, config).join(', ') },
  ];
}
