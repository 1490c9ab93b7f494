import { randomBytes } from 'node:crypto';
import type { Operator } from './operator.ts';
import type { Product } from './product.ts';

/** Chromium resolves every name below this to 127.0.0.1 (playwright.config.ts). */
const below = 'portico.test';

/** The panel at the tenant's host name. */
export async function openHost(
  { panel }: Product,
  operator: Operator,
  variant: 'standard' | 'reseller',
): Promise<string> {
  const host = `${variant}-${randomBytes(4).toString('hex')}.${below}`;
  await operator.call('POST', 'panel/tenant/domains', { host, variant });
  return `http://${host}:${new URL(panel).port}`;
}
