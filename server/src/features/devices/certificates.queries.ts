import type { DeviceCertificate } from '@portico/contract/device-certificates.ts';
import sql from 'sql-template-tag';
import { pageOf } from '#db/list.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';
import type { CertifiedKey } from '#lib/certificates.ts';

const columns = sql`
  c.id, c.name, c.serial, trim(trailing ':' from regexp_replace(upper(encode(c.fingerprint, 'hex')), '(..)', '\\1:', 'g')) as fingerprint,
  case when c.revoked_at is not null then 'revoked' when c.expires_at <= now() then 'expired' else 'valid' end as state,
  c.issued_at, c.expires_at, c.revoked_at, c.last_seen_at`;

export async function listCertificates(
  tx: Tx,
  deviceId: string,
  at: { page: number; per_page: number },
): Promise<Rows<DeviceCertificate>> {
  const rows = await tx.many<DeviceCertificate>(
    sql`select ${columns} from device_certificates c where c.device_id = ${deviceId} order by c.id desc ${pageOf(at)}`,
  );
  const { total } = await tx.one<{ total: number }>(
    sql`select count(*) as total from device_certificates where device_id = ${deviceId}`,
  );
  return { rows, total };
}

export const findCertificate = (tx: Tx, deviceId: string, id: string) =>
  tx.maybe<DeviceCertificate>(
    sql`select ${columns} from device_certificates c where c.id = ${id} and c.device_id = ${deviceId}`,
  );

export const countValid = async (tx: Tx, deviceId: string): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*) as count from device_certificates
      where device_id = ${deviceId} and revoked_at is null and expires_at > now()`)
  ).count;

export interface NewCertificate {
  id: string;
  deviceId: string;
  name: string;
  serial: string;
  fingerprint: Buffer;
  expiresAt: Date;
}

export const insertCertificate = (tx: Tx, it: NewCertificate) =>
  tx.run(sql`
    insert into device_certificates (id, device_id, name, serial, fingerprint, expires_at)
    values (${it.id}, ${it.deviceId}, ${it.name}, ${it.serial}, ${it.fingerprint}, ${it.expiresAt})`);

/** Returns whether the certificate was valid. */
export const revokeCertificate = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`update device_certificates set revoked_at = now() where id = ${id} and revoked_at is null`)) > 0;

export const markCertificateSeen = (tx: Tx, id: string) =>
  tx.run(sql`update device_certificates set last_seen_at = now() where id = ${id}`);

export interface CertifiedDevice {
  id: string;
  tenant_id: string;
  device_id: string;
  nas_identifier: string;
  message_authenticator: boolean;
  expires_at: string;
  fingerprint: Buffer;
}

/** The devices of the valid certificates among these. The tenant is not known yet: runs under withSystem. */
export const findCertified = (tx: Tx, fingerprints: readonly string[]) =>
  tx.many<CertifiedDevice>(sql`
    select c.id, c.tenant_id, c.device_id, d.nas_identifier, d.message_authenticator, c.expires_at, c.fingerprint
    from device_certificates c join devices d on d.tenant_id = c.tenant_id and d.id = c.device_id
    where c.fingerprint in (select decode(f, 'hex') from unnest(${fingerprints}::text[]) f)
      and c.revoked_at is null and c.expires_at > now()
      and not exists (select from tenant_moves m where m.tenant = c.tenant_id and (m.direction = 'out' or m.state = 'arriving'))`);

/** The authority belongs to no tenant. Runs under withSystem, as does the next query. */
export const findAuthority = (tx: Tx) =>
  tx.maybe<{ private_key: string; certificate: Buffer }>(sql`select private_key, certificate from radsec_authority`);

/** If two processes create one at once, the first one stays. */
export const storeAuthority = (tx: Tx, { privateKey, certificate }: CertifiedKey) =>
  tx.run(
    sql`insert into radsec_authority (private_key, certificate) values (${privateKey}, ${certificate}) on conflict do nothing`,
  );

export interface ExpiringRow {
  tenant_id: string;
  id: string;
  name: string;
  device_id: string;
  device: string;
  location_id: string;
  location: string;
  days: number;
}

/**
 * Certificates that expire within `days` days and were not notified yet. Omits those whose device has used a certificate with
 * a later end. Across tenants: runs under withSystem.
 */
export const listExpiring = (tx: Tx, days: number) =>
  tx.many<ExpiringRow>(sql`
    select c.tenant_id, c.id, c.name, c.device_id, d.name as device, d.location_id, l.name as location,
      ceil(extract(epoch from c.expires_at - now()) / 86400)::int as days
    from device_certificates c
    join devices d on d.tenant_id = c.tenant_id and d.id = c.device_id
    join locations l on l.tenant_id = d.tenant_id and l.id = d.location_id
    where c.revoked_at is null and not c.expiry_notified and c.expires_at > now() and c.expires_at < now() + make_interval(days => ${days}::int)
      and not exists (
        select from device_certificates n
        where n.tenant_id = c.tenant_id and n.device_id = c.device_id and n.revoked_at is null
          and n.expires_at > now() + make_interval(days => ${days}::int) and n.last_seen_at > coalesce(c.last_seen_at, '-infinity'))
    order by c.expires_at limit 500`);

/** Returns false if another process has sent this notification already. */
export const markExpiryNotified = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`update device_certificates set expiry_notified = true where id = ${id} and not expiry_notified`)) >
  0;
