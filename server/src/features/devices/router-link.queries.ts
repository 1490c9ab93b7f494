import sql, { empty, type Sql } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** The number of scripts whose tokens stay valid, because the latest script may never have been run. */
const maxTokens = 5;

export const addPollToken = (tx: Tx, deviceId: string, hash: Buffer) =>
  tx.run(sql`
    update devices set poll_tokens = (poll_tokens || ${hash}::bytea)[greatest(1, cardinality(poll_tokens) + 2 - ${maxTokens}::int):]
    where id = ${deviceId}`);

/** A router that polls looks for its pages every ten minutes. */
const pagesAreDue = (d: Sql): Sql =>
  sql`(${d}pages_checked_at is null or ${d}pages_checked_at < now() - interval '10 minutes')`;

/** The device of a token. The tenant is not known yet: runs under withSystem. */
export const findByPollToken = (tx: Tx, nas: string, hash: Buffer) =>
  tx.maybe<{
    id: string;
    tenant_id: string;
    location_id: string;
    slug: string;
    brand: string;
    coa_port: number;
    arriving: string | null;
    pages_due: boolean;
  }>(sql`
    select d.id, d.tenant_id, d.location_id, d.coa_port, t.slug, b.slug as brand, ${pagesAreDue(sql`d.`)} as pages_due,
      -- It has not set itself up since its tenant came from another installation.
      (select r.id from moved_routers r join tenant_moves m using (tenant)
        where r.nas_identifier = d.nas_identifier and m.direction = 'in') as arriving
    from devices d join tenants t on t.id = d.tenant_id join brands b on b.id = d.brand_id
    where d.nas_identifier = ${nas} and ${hash}::bytea = any(d.poll_tokens)`);

/**
 * Stores that a router polled. Tokens of older scripts end, because it runs a newer one. Returns whether this is the
 * first poll of its script.
 */
export const markPolled = async (
  tx: Tx,
  id: string,
  it: { hash: Buffer; version: string | null },
): Promise<boolean> => {
  const { fresh } = await tx.one<{ fresh: boolean }>(sql`
    select polled_at is null or poll_tokens[1] <> ${it.hash}::bytea as fresh from devices where id = ${id} for no key update`);
  await tx.run(sql`
    update devices set polled_at = now(), poll_tokens = poll_tokens[array_position(poll_tokens, ${it.hash}::bytea):]
    where id = ${id}`);
  // In a statement of its own, because a change of the version is announced to screens.
  await tx.run(sql`
    update devices set router_version = ${it.version}
    where id = ${id} and ${it.version}::text is not null and router_version is distinct from ${it.version}`);
  return fresh;
};

/** Whether a router is to look for its pages now. */
export const claimPages = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.run(sql`
    update devices set pages_checked_at = now()
    where id = ${id} and ${pagesAreDue(empty)}`)) > 0;

/** Pins the first certificate of a router, unless its connection has changed. */
export const pinCertificate = (tx: Tx, id: string, it: { certificate: string; connection: string }) =>
  tx.run(sql`
    update devices set certificate = ${it.certificate}
    where id = ${id} and certificate is null and connection = ${it.connection}`);

/** The stored connection of a device, encrypted; undefined if it has none. */
export const findConnection = (tx: Tx, id: string) =>
  tx.maybe<{ brand: string; connection: string; certificate: string | null }>(sql`
    select b.slug as brand, d.connection, d.certificate from devices d join brands b on b.id = d.brand_id
    where d.id = ${id} and d.connection is not null`);
