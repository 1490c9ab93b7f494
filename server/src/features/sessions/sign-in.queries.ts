import sql from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** An Access-Request for the SQL function authorize(). `same`: the password equals the user name. */
export interface SignInRequest {
  readonly tenant: string;
  readonly device: string;
  readonly user_name: string;
  readonly mac: string | undefined;
  readonly ip: string | undefined;
  readonly key: string;
  readonly same: boolean;
}

/** Allows admit() to accept the guest once the password is checked. Only authorize() and admit() use its fields. */
export interface AdmissionGrant {
  readonly tenant_id: string;
  readonly location_id: string;
  readonly device_id: string;
  readonly visitor_id: string | null;
  readonly mac: string | null;
}

export interface SignInDecision {
  readonly outcome: 'accept' | 'check' | 'reject';
  readonly reason: string | null;
  /** Encrypted. */
  readonly password: string | null;
  readonly granting: AdmissionGrant;
  readonly class: string | null;
  readonly provider_slug: string;
  /** The user name is a ticket of the portal. */
  readonly ticket: boolean;
  /** Seconds, bits per second and bytes; null means unlimited. */
  readonly session_timeout: number | null;
  readonly idle_timeout: number;
  readonly interim: number;
  readonly upload_bps: number | null;
  readonly download_bps: number | null;
  readonly total_bytes: number | null;
}

/** An Accounting-Request for the SQL function account(). */
export interface AccountingRow {
  readonly tenant: string;
  readonly device: string;
  readonly status: string;
  readonly at: Date;
  readonly session?: string;
  readonly class?: string | undefined;
  readonly user_name?: string;
  readonly mac?: string | undefined;
  readonly ip?: string | undefined;
  /** IPv6 addresses and prefixes. */
  readonly networks?: readonly string[];
  readonly seconds?: number;
  readonly upload?: number;
  readonly download?: number;
  readonly cause?: string | undefined;
}

export interface FailedLoginRow {
  readonly tenant_id: string;
  /** Null: the location of the device. */
  readonly location_id: string | null;
  readonly device_id: string | null;
  readonly client_mac: string | null;
  readonly client_ip: string | null;
  readonly provider_slug: string;
  /** Encrypted JSON, with dots instead of passwords. */
  readonly params: string | null;
  /** Hexadecimal. */
  readonly typed_hash: string | null;
  readonly reason: string;
  /** The visitor of the typed name, if known. */
  readonly visitor_id?: string | null | undefined;
}

/** Decides a batch across tenants; the decisions are in the order of the requests. */
export const decideSignIns = (tx: Tx, batch: readonly SignInRequest[]): Promise<SignInDecision[]> =>
  tx.many<SignInDecision>(sql`
    select outcome, reason, password, to_json(granting) as granting, class, provider_slug, ticket, session_timeout, idle_timeout, interim,
      upload_bps, download_bps, total_bytes
    from authorize(${JSON.stringify(batch)}::jsonb) order by n`);

/** A request whose password was compared before: the stored password that it equalled then, and its visitor. */
export interface KnownSignInRequest extends SignInRequest {
  readonly known_password?: string | undefined;
  readonly known_visitor?: string | undefined;
}

/** `proven`: the known password still counts, so the decision is final. */
export type SignInAnswer = SignInDecision & { readonly proven: boolean };

/** Decides sign-ins like decideSignIns, and admits guests whose known password still counts. */
export function signIn(tx: Tx, batch: readonly KnownSignInRequest[]): Promise<SignInAnswer[]> {
  // PostgreSQL would plan the admission of a lone guest anew each time, which is a third of the sign-in's CPU.
  tx.useGenericPlans();
  return tx.many<SignInAnswer>(sql`
    select outcome, reason, password, granting, class, provider_slug, ticket, session_timeout, idle_timeout, interim,
      upload_bps, download_bps, total_bytes, proven
    from sign_in(${JSON.stringify(batch)}::jsonb)`);
}

/** Admits guests with a correct password, in this order. Returns null for visitors with too many devices in use. */
export async function admit(tx: Tx, grants: readonly AdmissionGrant[]): Promise<(string | null)[]> {
  tx.useGenericPlans();
  const rows = await tx.many<{ class: string | null }>(
    sql`select class from admit(${JSON.stringify(grants)}::jsonb) order by n`,
  );
  return rows.map(row => row.class);
}

/** Applies a batch of accounting across tenants. `later`: in a systemTrip, and the caller tells open screens about it. */
export async function applyAccounting(tx: Tx, batch: readonly AccountingRow[], announce?: 'later'): Promise<void> {
  const addressed = batch.filter(it => it.networks);
  if (announce) tx.useGenericPlans();
  await Promise.all([
    tx.run(
      announce
        ? sql`select set_config('portico.announce', 'later', true)`
        : sql`select set_config('statement_timeout', '10s', true)`,
    ),
    tx.run(sql`select account(${JSON.stringify(batch)}::jsonb)`),
    addressed.length > 0 && tx.run(sql`select record_addresses(${JSON.stringify(addressed)}::jsonb)`),
  ]);
}

/** The places in the batch of the records whose session is open. */
export const placesOfOpen = async (tx: Tx, batch: readonly AccountingRow[]): Promise<number[]> =>
  (
    await tx.many<{ place: number }>(sql`
      select (r.n - 1)::int as place
      from jsonb_array_elements(${JSON.stringify(batch)}::jsonb) with ordinality as r(it, n)
      join online_sessions o on o.accounting_id = accounting_id(
        (r.it ->> 'device')::uuid, r.it ->> 'session', r.it ->> 'user_name', r.it ->> 'mac', r.it ->> 'class')`)
  ).map(it => it.place);

/** Replaces the hash of a visitor's password by the password, unless it was changed since. */
export const keepPassword = (tx: Tx, it: { tenant: string; visitor: string; before: string; after: string }) =>
  tx.run(sql`select keep_password(${it.tenant}, ${it.visitor}, ${it.before}, ${it.after})`);

export async function insertFailedLogins(tx: Tx, rows: readonly FailedLoginRow[]): Promise<void> {
  await tx.run(sql`
    insert into failed_logins (tenant_id, location_id, device_id, client_mac, client_ip, provider_slug, params, typed_hash, reason, visitor_id)
    select f.tenant_id, l.id, d.id, parse_mac(f.client_mac), parse_ip(f.client_ip), f.provider_slug, f.params, decode(f.typed_hash, 'hex'),
      -- A router is told the same of a paused visitor and of a blocked device, and of a suspended location and an ended licence.
      -- What mends them differs.
      case when f.reason = 'blocked' and v.blocked then 'paused' when f.reason = 'license_over' and l.suspended_at is not null then 'suspended'
        else f.reason end, v.id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as f(tenant_id uuid, location_id uuid, device_id uuid, client_mac text,
      client_ip text, provider_slug text, params text, typed_hash text, reason text, visitor_id uuid)
    left join devices d on d.tenant_id = f.tenant_id and d.id = f.device_id
    join locations l on l.tenant_id = f.tenant_id and l.id = coalesce(f.location_id, d.location_id)
    left join visitors v on v.tenant_id = f.tenant_id and v.id = f.visitor_id`);
}

export interface NewTicket {
  readonly id: string;
  readonly hash: Buffer;
  readonly location_id: string;
  readonly device_id: string;
  readonly visitor_id: string;
  readonly client_mac: string | null;
  readonly pseudo_mac: string | null;
  readonly provider_slug: string;
  readonly redirect: string;
  readonly login_host: string | null;
  readonly seconds: number;
  readonly by_address: boolean;
  readonly remember_token: Buffer | null;
  readonly token_before: Buffer | null;
  readonly browser: string | null;
}

export const insertTicket = (tx: Tx, it: NewTicket) =>
  tx.run(sql`
    insert into tickets (id, hash, location_id, device_id, visitor_id, client_mac, pseudo_mac, provider_slug, redirect, login_host, by_address, remember_token,
      token_before, browser, expires_at)
    values (${it.id}, ${it.hash}, ${it.location_id}, ${it.device_id}, ${it.visitor_id}, parse_mac(${it.client_mac}), parse_mac(${it.pseudo_mac}),
      ${it.provider_slug}, ${it.redirect}, ${it.login_host}, ${it.by_address}, ${it.remember_token}, ${it.token_before}, ${it.browser}, now() + make_interval(secs => ${it.seconds}))`);

/** Deletes expired tickets and admissions across tenants. */
export async function deleteExpired(tx: Tx): Promise<void> {
  await tx.run(sql`delete from tickets where expires_at < now() - interval '1 hour'`);
  // Admissions are kept for a day, because late accounting needs them to find the visitor of a session.
  await tx.run(sql`delete from admissions where created_at < now() - interval '1 day'`);
}

/** Closes sessions without an update for three intervals, across tenants. Returns their number. */
export const closeStale = async (tx: Tx): Promise<number> =>
  (await tx.one<{ closed: number }>(sql`select close_stale_sessions() as closed`)).closed;

/** Creates the partitions of the next months, for all tenants. */
export const ensurePartitions = (tx: Tx) => tx.run(sql`select ensure_partitions(3)`);
