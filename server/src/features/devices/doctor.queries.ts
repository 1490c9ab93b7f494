import sql from 'sql-template-tag';
import { andDevice, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';

export interface ExaminedDevice {
  brand: string;
  secret: string;
  coa_port: number;
  last_address: string | null;
  last_seen_at: string | null;
  auth_seen_at: string | null;
  acct_seen_at: string | null;
  clock_skew: number | null;
  bad_secret_at: string | null;
  bad_secret_address: string | null;
  arrived_at: string | null;
  page_version: string | null;
  /** When the doctor last sent a CoA request, and when it got the answer. */
  coa_asked_at: string | null;
  coa_answered_at: string | null;
  coa_answer: 'ok' | 'silent' | 'refused' | null;
  /** When a guest last arrived with a signature that does not fit its secret. */
  unsigned_at: string | null;
  /** When the script on its gateway last told who is signed in. */
  reported_at: string | null;
  has_connection: boolean;
}

/** The last activity of a device. */
export const findExamined = (tx: Tx, scope: Scope, id: string) =>
  tx.maybe<ExaminedDevice>(sql`
    select b.slug as brand, d.secret, d.coa_port, host(d.last_address) as last_address, d.last_seen_at, d.auth_seen_at, d.acct_seen_at,
      d.clock_skew, d.bad_secret_at, host(d.bad_secret_address) as bad_secret_address, d.arrived_at, d.page_version, d.reported_at, d.unsigned_at, d.coa_asked_at, d.coa_answered_at, d.coa_answer,
      d.connection is not null as has_connection
    from devices d join brands b on b.id = d.brand_id
    where d.id = ${id} ${andDevice(scope, sql`d.location_id`, sql`d.id`)}`);

/** Stores that a packet named the device but did not match its secret. */
export const markBadSecret = (tx: Tx, id: string, it: { at: Date; address: string }) =>
  tx.run(sql`
    update devices set bad_secret_at = ${it.at}, bad_secret_address = ${it.address}::inet
    where id = ${id} and (bad_secret_at is null or bad_secret_at < ${it.at}::timestamptz - interval '10 seconds')`);

/**
 * Stores that the device's sign-in page has sent a guest, at most every 30 seconds. Links of our own pages have no version.
 */
export const markArrival = (tx: Tx, id: string, pageVersion: string) =>
  tx.run(sql`
    update devices set arrived_at = now(), page_version = coalesce(nullif(${pageVersion}, ''), page_version)
    where id = ${id} and (arrived_at is null or arrived_at < now() - interval '30 seconds' or page_version is distinct from ${pageVersion})`);

/** Stores that a guest arrived with a signature that does not fit the device's secret. Strangers can do so too, so it is only shown. */
export const markUnsigned = (tx: Tx, id: string) =>
  tx.run(sql`update devices set unsigned_at = now() where id = ${id}`);

/** Stores that a CoA request is sent now; false while an earlier one waits for its answer. */
export const beginCoa = async (tx: Tx, id: string, seconds: number): Promise<boolean> =>
  (await tx.run(sql`
    update devices set coa_asked_at = now()
    where id = ${id} and (coa_asked_at is null or coa_answered_at >= coa_asked_at
      or coa_asked_at < now() - make_interval(secs => ${seconds}))`)) > 0;

export const storeCoaAnswer = (tx: Tx, id: string, answer: NonNullable<ExaminedDevice['coa_answer']>) =>
  tx.run(sql`update devices set coa_answer = ${answer}, coa_answered_at = clock_timestamp() where id = ${id}`);
