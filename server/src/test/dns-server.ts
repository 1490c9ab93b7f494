import { type DnsServer, startDnsServer } from '@portico/simulator/dns-server.ts';
import { afterAll } from 'vitest';

/** A DNS server for a test file. */
export async function startDns(): Promise<DnsServer> {
  const server = await startDnsServer();
  afterAll(() => server.close());
  return server;
}
