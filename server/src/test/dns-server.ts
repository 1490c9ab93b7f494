import { type DnsServer, startDnsServer } from '@portico/simulator/dns-server.ts';
import { afterFile } from './after-file.ts';

/** A DNS server for a test file. */
export async function startDns(): Promise<DnsServer> {
  const server = await startDnsServer();
  afterFile(() => server.close());
  return server;
}
