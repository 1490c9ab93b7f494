import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import type { Domain } from '@portico/contract/tenants.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { notify } from '#features/notifications/public.ts';
import { countOne, createLimit } from '#features/throttle/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found, invalid } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
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

/** Whether the TXT record of a host is in the DNS; undefined when the DNS does not answer. */
async function isProven(
  { DNS_SERVERS: servers }: Settings,
  { host, proof }: { host: string; proof: string },
): Promise<boolean | undefined> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  try {
    const records = await resolver.resolveTxt(recordOf(host));
    return records.some(parts => parts.join('').trim() === proof);
  } catch (error) {
    const { code } = error as { code?: string };
    return code === NOTFOUND || code === NODATA ? false : undefined;
  }
}

/** Checks the TXT record. If it exists, the domain leads to this tenant from now on; otherwise 409. */
export async function checkDomain({ app, inTenant, tenant }: Context, actor: Actor, host: string): Promise<Domain> {
  const { proof } = found(await inTenant(tx => queries.findDomain(tx, host)));
  if (isOwnHost(app.settings, host)) throw invalid({ host: 'domain_reserved' });
  await countOne(app, [[checks, tenant.id]]);
  if (!(await isProven(app.settings, { host, proof })))
    throw new AppError('domain_unproven', { values: { name: recordOf(host) } });
  const row = await inTenant(async tx => {
    const before = found(await queries.findDomain(tx, host, 'lock'));
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

const checkedAtOnce = 20;
const noticeDays = 1;

/** Looks for the records of domains again. A domain whose record is gone is announced, and stops serving after some days. */
export async function checkDomainsAgain(app: App): Promise<void> {
  const due = await app.db.withSystem(tx => queries.claimDueDomains(tx, checkedAtOnce));
  await Promise.all(
    due.map(async ({ tenant_id: tenantId, host, proof }) => {
      const found = await isProven(app.settings, { host, proof });
      if (found === undefined) return;
      await app.db.withTenant<unknown>(tenantId, tx =>
        found ? queries.recordFound(tx, host) : recordMissing(tx, host),
      );
    }),
  );
  if (due.length) forgetTenants();
}

async function recordMissing(tx: Tx, host: string): Promise<void> {
  const missing = await queries.recordMissing(tx, host);
  if (!missing) return;
  const { days, proven_at: proven, stopped } = missing;
  const to = { tenant: 'admins' } as const;
  if (!stopped) {
    const once = `domain_unproven:${host}:${proven ?? 'never'}:${days <= noticeDays ? 'last' : 'first'}`;
    await notify(tx, { kind: 'domain_unproven', to, data: { host, days }, once });
    return;
  }
  await queries.stopDomain(tx, host);
  await notify(tx, { kind: 'domain_stopped', to, data: { host } });
  const subject = { type: 'domain' as const, name: host };
  const by = { email: 'DNS', ip: null };
  await audit(tx, by, { verb: 'update', subject, before: { verified: true }, after: { verified: false } });
}
