import type { Language } from '@portico/contract/errors.ts';
import type { PaymentSlug } from '@portico/contract/integration-names.ts';
import type { LicencePayment, LicenceTerms } from '@portico/contract/licence-payments.ts';
import sql, { empty } from 'sql-template-tag';
import { countRows, pageOf } from '#db/list.ts';
import { assignments } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';

/** The tenant's prices for licences. A tenant has one row. */
export const findTerms = (tx: Tx) =>
  tx.maybe<LicenceTerms & Record<string, unknown>>(sql`select is_active, price, currency, tax_rate from licence_terms`);

/** Keeps other changes of the terms out until the transaction ends, also of terms that are not stored yet. */
export const lockTerms = (tx: Tx) =>
  tx.run(sql`select pg_advisory_xact_lock(lock_key('licence-terms', current_tenant()::text))`);

export const saveTerms = (tx: Tx, it: LicenceTerms) =>
  tx.run(sql`
    insert into licence_terms (is_active, price, currency, tax_rate)
    values (${it.is_active}, ${it.price}, ${it.currency}, ${it.tax_rate})
    on conflict (tenant_id) do update set is_active = excluded.is_active, price = excluded.price, currency = excluded.currency,
      tax_rate = excluded.tax_rate, updated_at = now()`);

const columns = sql`
  p.id, json_build_object('id', l.id, 'name', coalesce(l.name, p.location_name)) as location,
  case when u.id is not null then json_build_object('id', u.id, 'name', trim(u.first_name || ' ' || u.last_name)) end as user,
  p.provider, p.payment, p.state, p.problem, p.reported, p.years, p.unit_price, p.amount, p.tax, p.tax_rate, p.currency, p.email,
  p.license_end_at, p.refund_reason, p.created_at, p.paid_at, p.refunded_at`;
const joins = sql`left join locations l on l.id = p.location_id left join users u on u.id = p.user_id`;

export async function listPayments(
  tx: Tx,
  filter: { page: number; per_page: number; state?: LicencePayment['state'] | undefined },
): Promise<Rows<LicencePayment>> {
  const found = sql`from licence_payments p where true ${filter.state ? sql`and p.state = ${filter.state}` : empty}`;
  const [rows, total] = await Promise.all([
    tx.many<LicencePayment>(sql`
      select ${columns} from (select p.* ${found} order by p.created_at desc, p.id desc ${pageOf(filter)}) p ${joins}
      order by p.created_at desc, p.id desc`),
    countRows(tx, found, filter),
  ]);
  return { rows, total };
}

/** `locationId`: only a payment of this location. */
export const findPayment = (tx: Tx, id: string, locationId?: string) =>
  tx.maybe<LicencePayment>(sql`
    select ${columns} from licence_payments p ${joins}
    where p.id = ${id} ${locationId ? sql`and p.location_id = ${locationId}` : empty}`);

/** A payment with what its handling needs. */
export interface StoredPayment {
  id: string;
  /** Null once the location was deleted. */
  location_id: string | null;
  location_name: string;
  time_zone: string | null;
  slug: string;
  /** The panel where it was begun; empty: that of the settings. */
  host: string;
  integration_id: string | null;
  provider: PaymentSlug;
  years: number;
  amount: number;
  tax: number;
  tax_rate: number;
  currency: string;
  email: string;
  language: Language;
  reference: string | null;
  payment: string | null;
  state: LicencePayment['state'];
  refund_reason: string;
  created_at: string;
  paid_at: string | null;
  refunds: number;
}

const stored = sql`
  select p.id, p.location_id, coalesce(l.name, p.location_name) as location_name, l.time_zone, t.slug, p.host, p.integration_id, p.provider, p.years, p.amount, p.tax, p.tax_rate, p.currency,
    p.email, p.language, p.reference, p.payment, p.state, p.refund_reason, p.created_at, p.paid_at, p.refunds
  from licence_payments p left join locations l on l.id = p.location_id join tenants t on t.id = p.tenant_id`;

export const readPayment = (tx: Tx, id: string) =>
  tx.maybe<StoredPayment & Record<string, unknown>>(sql`${stored} where p.id = ${id}`);

/** Each change of a state begins with this lock. The location comes first, as when it is deleted. */
export async function lockPayment(tx: Tx, id: string) {
  await tx.run(sql`
    select from locations where id = (select location_id from licence_payments where id = ${id}) for no key update`);
  return tx.maybe<StoredPayment & Record<string, unknown>>(sql`${stored} where p.id = ${id} for update of p`);
}

/** The payment that a genuine notification is about. */
export const findHinted = (
  tx: Tx,
  integrationId: string,
  hint: { id?: string | undefined; reference?: string | undefined; payment?: string | undefined },
) =>
  tx.maybe<{ id: string }>(sql`
    select id from licence_payments
    where integration_id = ${integrationId} and ${
      hint.reference
        ? sql`reference = ${hint.reference}`
        : hint.payment
          ? sql`payment = ${hint.payment}`
          : sql`id = ${hint.id ?? null}`
    } limit 1`);

const soon = sql`now() + interval '2 minutes'`;

export const getBuyer = (tx: Tx, userId: string) =>
  tx.one<{ email: string; language: Language }>(sql`select email, language from users where id = ${userId}`);

export const insertPayment = (
  tx: Tx,
  it: {
    id: string;
    locationId: string;
    integrationId: string;
    userId: string;
    provider: string;
    years: number;
    unitPrice: number;
    amount: number;
    tax: number;
    taxRate: number;
    currency: string;
    email: string;
    language: string;
    locationName: string;
    host: string;
  },
) =>
  tx.run(sql`
    insert into licence_payments (id, location_id, integration_id, user_id, provider, years, unit_price, amount, tax, tax_rate, currency, email,
      language, location_name, host, check_at)
    values (${it.id}, ${it.locationId}, ${it.integrationId}, ${it.userId}, ${it.provider}, ${it.years}, ${it.unitPrice}, ${it.amount}, ${it.tax},
      ${it.taxRate}, ${it.currency}, ${it.email}, ${it.language}, ${it.locationName}, ${it.host},
      ${soon})`);

/**
 * An earlier payment of the same user for the same licence whose page is still open, for example in another tab. The
 * providers close the page after half an hour. It is offered again, so that the licence is not paid twice. Not once the
 * provider has sent the buyer back: PayTR does not say that its page takes a second try. `url` is null while the page is
 * made.
 */
export const findBegun = (
  tx: Tx,
  it: { locationId: string; integrationId: string; userId: string; years: number; amount: number; currency: string },
) =>
  tx.maybe<{ id: string; url: string | null }>(sql`
    select id, url from licence_payments
    where location_id = ${it.locationId} and state = 'open' and created_at > now() - interval '31 minutes' and returned_at is null
      and integration_id = ${it.integrationId} and user_id = ${it.userId} and years = ${it.years} and amount = ${it.amount}
      and currency = ${it.currency} and (url is not null or created_at > now() - interval '30 seconds')
    order by created_at desc limit 1`);

/** The page of a payment that another request makes. */
export const readPage = (tx: Tx, id: string) =>
  tx.maybe<{ url: string | null; state: LicencePayment['state'] }>(
    sql`select url, state from licence_payments where id = ${id}`,
  );

/** The provider made no page, so there is nothing to pay. */
export const endUnmade = (tx: Tx, id: string) =>
  tx.run(sql`update licence_payments set state = 'failed', check_at = null where id = ${id} and state = 'open'`);

export const noteReturn = (tx: Tx, id: string) =>
  tx.run(sql`update licence_payments set returned_at = now() where id = ${id} and returned_at is null`);

/** Nothing more can be learned about it: it has no checkout, or the account that knows it is gone. */
export const stopChecks = (tx: Tx, id: string) =>
  tx.run(sql`update licence_payments set check_at = null where id = ${id}`);

export const updatePayment = (
  tx: Tx,
  id: string,
  change: {
    state?: LicencePayment['state'];
    reference?: string;
    url?: string;
    payment?: string | null;
    problem?: LicencePayment['problem'];
    reported?: string | null;
    license_end_at?: string;
    refund_reason?: string;
    refunded_by?: string | null;
  },
  now: { paid_at?: true; refunded_at?: true; refunds?: true } = {},
) =>
  tx.run(sql`
    update licence_payments set ${assignments({ ...change })} ${now.refunds || change.reference ? sql`, check_at = ${soon}` : empty}
      ${now.refunds ? sql`, refunds = refunds + 1` : empty}
      ${now.paid_at ? sql`, paid_at = now()` : empty} ${now.refunded_at ? sql`, refunded_at = now()` : empty}
    where id = ${id}`);

/** When the provider is asked next, as for purchases of guests. Null: never again. */
export const scheduleCheck = (tx: Tx, id: string) =>
  tx.run(sql`
    update licence_payments p set checks = checks + 1, check_at = case
      when p.state in ('open', 'refunding')
        then now() + least(interval '1 hour', interval '1 minute' * power(2, least(p.checks, 6)))
      when p.state = 'paid' and p.paid_at > now() - interval '120 days' then now() + interval '1 day'
    end
    where p.id = ${id}`);

/** Claims payments to ask about, across tenants. */
export const claimDue = (tx: Tx, limit: number) =>
  tx.many<{ tenant_id: string; id: string }>(sql`
    with due as (
      select tenant_id, id from licence_payments where check_at <= now() order by check_at limit ${limit} for update skip locked)
    update licence_payments p set check_at = now() + interval '5 minutes'
    from due where p.tenant_id = due.tenant_id and p.id = due.id returning p.tenant_id, p.id`);

/** Gives up payments that were not made within a day. A payment that arrives later still counts. Across tenants. */
export const failOld = (tx: Tx) =>
  tx.run(sql`
    update licence_payments set state = 'failed', check_at = null
    where state = 'open' and created_at < now() - interval '1 day'`);
