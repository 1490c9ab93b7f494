import { Resolver } from 'node:dns/promises';
import type { Domain } from '@portico/contract/tenants.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { countOne, createLimit } from '#features/throttle/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { randomToken } from '#lib/ids.ts';
import type { Settings } from '../../settings.ts';
import * as queries from './tenants.queries.ts';
import { forgetTenants, isOwnHost } from './tenants.service.ts';

/** A domain leads to a tenant once a TXT record proves that the tenant controls it. */

const checks = createLimit('domain checks', 30);
const timeoutMs = 3000;

const recordOf = (host: string): string => `_portico.${host}`;

const describe = ({ proof, ...row }: queries.DomainRow): Domain => ({
  ...row,
  record: { type: 'TXT', name: recordOf(row.host), value: proof },
});

export const listDomains = async (tx: Tx): Promise<Domain[]> => (await queries.listDomains(tx)).map(describe);

export async function addDomain(
  { app, inTenant }: Context,
  actor: Actor,
  form: { host: string; variant: 'standard' | 'reseller' },
): Promise<Domain> {
  if (isOwnHost(app.settings, form.host)) throw invalid({ host: 'domain_reserved' });
  return inTenant(async tx => {
    const row = await queries.insertDomain(tx, { ...form, proof: `portico=${randomToken()}` });
    if (!row) throw invalid({ host: 'taken' });
    const subject = { type: 'domain' as const, name: row.host };
    await audit(tx, actor, { verb: 'create', subject, after: { variant: row.variant } });
    return describe(row);
  });
}

/** The TXT records of a name; none when the name or the server does not answer. */
async function txtRecords({ DNS_SERVERS: servers }: Settings, name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  const records = await resolver.resolveTxt(name).catch(() => []);
  return records.map(parts => parts.join(''));
}

/** Checks the TXT record. If it exists, the domain leads to this tenant from now on; otherwise 409. */
export async function checkDomain({ app, inTenant, tenant }: Context, actor: Actor, host: string): Promise<Domain> {
  const { proof } = found(await inTenant(tx => queries.findDomain(tx, host)));
  if (isOwnHost(app.settings, host)) throw invalid({ host: 'domain_reserved' });
  await countOne(app, [[checks, tenant.id]]);
  const records = await txtRecords(app.settings, recordOf(host));
  if (!records.some(record => record.trim() === proof))
    throw new AppError('domain_unproven', { values: { name: recordOf(host) } });
  const row = await inTenant(async tx => {
    const before = found(await queries.findDomain(tx, host));
    await queries.verifyDomain(tx, host);
    const after = found(await queries.findDomain(tx, host));
    const [was, is] = [before.verified_at !== null, after.verified_at !== null];
    const subject = { type: 'domain' as const, name: host };
    await audit(tx, actor, { verb: 'update', subject, before: { verified: was }, after: { verified: is } });
    return after;
  });
  forgetTenants();
  return describe(row);
}

export async function removeDomain({ inTenant }: Context, actor: Actor, host: string): Promise<void> {
  await inTenant(async tx => {
    const row = found(await queries.deleteDomain(tx, host));
    const subject = { type: 'domain' as const, name: row.host };
    await audit(tx, actor, { verb: 'delete', subject, before: { variant: row.variant } });
  });
  forgetTenants();
}
