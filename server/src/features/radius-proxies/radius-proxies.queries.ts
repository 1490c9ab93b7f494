import type { RadiusProxyForm, RadiusProxyRow } from '@portico/contract/radius-proxies.ts';
import sql from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import { assignments, newRow } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

const columns = sql`
  p.id, p.name, host(p.address) as address, nullif(p.locations, '{}') as location_ids, p.require_message_authenticator,
  case when p.certificate_serial is not null then json_build_object('serial', p.certificate_serial, 'fingerprint',
    trim(trailing ':' from regexp_replace(upper(encode(p.certificate_fingerprint, 'hex')), '(..)', '\\1:', 'g')),
    'expires_at', p.certificate_expires_at) end as certificate,
  p.last_seen_at, p.created_at`;

export async function listProxies(tx: Tx, at: { page: number; per_page: number }): Promise<Rows<RadiusProxyRow>> {
  const found = sql`from radius_proxies p where true`;
  const [rows, total] = await Promise.all([
    tx.many<RadiusProxyRow>(sql`select ${columns} ${found} order by p.id desc ${pageOf(at)}`),
    countRows(tx, found, at),
  ]);
  return { rows, total };
}

export const findProxy = (tx: Tx, id: string, lock?: 'lock') =>
  tx.maybe<RadiusProxyRow>(
    sql`select ${columns} from radius_proxies p where p.id = ${id} ${lock ? sql`for update` : sql``}`,
  );

export const countProxies = async (tx: Tx): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from radius_proxies`)).count;

/** Whether another proxy of the tenant has the address. */
export const addressTaken = async (tx: Tx, address: string, exceptId: string | null): Promise<boolean> =>
  (await tx.maybe(
    sql`select 1 from radius_proxies where address = ${address}::inet and id is distinct from ${exceptId}::uuid`,
  )) !== undefined;

/** Counts the given locations that exist in the tenant. */
export const countLocations = async (tx: Tx, ids: readonly string[]): Promise<number> =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from locations where id = any(${ids}::uuid[])`)).count;

/** `secret` is encrypted. */
export type ProxyValues = Omit<RadiusProxyForm, 'location_ids' | 'secret' | 'address'> & {
  readonly address: string | null;
  readonly secret: string;
  readonly locations: readonly string[];
};

export const insertProxy = (tx: Tx, id: string, it: ProxyValues) =>
  tx.run(sql`insert into radius_proxies ${newRow({ id, ...it })}`);

export const updateProxy = (tx: Tx, id: string, values: { [K in keyof ProxyValues]?: ProxyValues[K] | undefined }) =>
  tx.run(sql`update radius_proxies set ${assignments({ ...values })} where id = ${id}`);

export interface NewProxyCertificate {
  readonly serial: string;
  readonly fingerprint: Buffer;
  readonly expiresAt: Date;
}

/** Replaces the certificate; null revokes it. */
export const setCertificate = (tx: Tx, id: string, it: NewProxyCertificate | null) =>
  tx.run(sql`
    update radius_proxies set certificate_serial = ${it?.serial ?? null}, certificate_fingerprint = ${it?.fingerprint ?? null},
      certificate_expires_at = ${it?.expiresAt ?? null}, updated_at = now()
    where id = ${id}`);

export const deleteProxy = (tx: Tx, id: string) => tx.run(sql`delete from radius_proxies where id = ${id}`);

export const markProxySeen = (tx: Tx, id: string, at: Date) =>
  tx.run(
    sql`update radius_proxies set last_seen_at = ${at} where id = ${id} and (last_seen_at is null or last_seen_at < ${at})`,
  );

export interface TrustedProxy {
  readonly id: string;
  readonly tenant_id: string;
  readonly address: string | null;
  /** Encrypted. */
  readonly secret: string;
  readonly locations: readonly string[];
  readonly require_message_authenticator: boolean;
  readonly certificate_fingerprint: Buffer | null;
  readonly certificate_expires_at: string | null;
}

const trusted = sql`select id, tenant_id, host(address) as address, secret, locations, require_message_authenticator,
  certificate_fingerprint, certificate_expires_at from radius_proxies`;

/** The proxies of all tenants, the ones heard from last first. Runs under withSystem, as does the next query. */
export const allProxies = (tx: Tx) =>
  tx.many<TrustedProxy>(sql`${trusted} where address is not null order by last_seen_at desc nulls last, id`);

/** The proxies of the valid certificates among these. */
export const findCertifiedProxies = (tx: Tx, fingerprints: readonly string[]) =>
  tx.many<TrustedProxy>(sql`
    ${trusted} where certificate_fingerprint in (select decode(f, 'hex') from unnest(${fingerprints}::text[]) f)
      and certificate_expires_at > now()`);
