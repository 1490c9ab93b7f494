import { randomBytes } from 'node:crypto';
import type { Domain } from '@portico/contract/tenants.ts';
import { addDnsRecord } from '@portico/simulator/dns-server.ts';
import type { Operator } from './operator.ts';
import type { Product } from './product.ts';

/** Chromium resolves every name below this to 127.0.0.1 (playwright.config.ts). */
const below = 'portico.test';

/** The panel at a host name that the tenant has proven to be its own. */
export async function openHost(
  { panel, dns }: Product,
  operator: Operator,
  variant: 'standard' | 'reseller',
): Promise<string> {
  const host = `${variant}-${randomBytes(4).toString('hex')}.${below}`;
  const { data } = await operator.call<{ data: Domain }>('POST', 'panel/tenant/domains', { host, variant });
  await addDnsRecord(dns, data.record.name, data.record.value);
  await operator.call('POST', `panel/tenant/domains/${host}/check`, {});
  return `http://${host}:${new URL(panel).port}`;
}
