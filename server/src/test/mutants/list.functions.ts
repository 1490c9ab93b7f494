import type { Mutant } from './mutant.ts';

const features = 'server/src/features';
const roomPurchases = `${features}/room-charges/room-purchases.test.ts`;
const domains = `${features}/tenants/settings.test.ts`;
const events = `${features}/integrations/webhook-events.test.ts`;
const offered = 'is offered only while a package in the currency of the hotel is sold';

/** Defects of SQL functions that only a few calls use. */
export const ofFunctions: readonly Mutant[] = [
  {
    wrong: 'guests are offered to buy where no package is on',
    from: 'and p.is_active\n      and (exists',
    to: 'and (exists',
    test: roomPurchases,
    title: offered,
  },
  {
    wrong: 'guests are offered to buy where only another location has a payment provider',
    from: 'i.tenant_id = p_tenant and i.location_id = p_location and i.kind = any(p_providers)',
    to: 'i.tenant_id = p_tenant and i.kind = any(p_providers)',
    test: roomPurchases,
    title: offered,
  },
  {
    wrong: 'guests are offered to buy in a currency that the hotel does not take',
    from: ' and k.currency = p.currency)))',
    to: ')))',
    test: roomPurchases,
    title: offered,
  },
  {
    wrong: 'a new owner has the role of a viewer',
    from: "tenant_id = current_tenant() and built_in = 'manager'))",
    to: "tenant_id = current_tenant() and built_in = 'viewer'))",
    test: `${features}/auth/auth.test.ts`,
    title: 'creates a user with a location and all its permissions',
  },
  {
    wrong: 'members of another location read the vouchers of a batch',
    file: `${features}/vouchers/vouchers.service.ts`,
    from: `    found(await queries.findBatch(tx, call.actor.reach, id));
    if (search`,
    to: '    if (search',
    test: `${features}/vouchers/vouchers.test.ts`,
    title: 'shows no vouchers to members of another location',
  },
  {
    wrong: 'the part of a joined voucher has no length once another one is revoked',
    file: `${features}/vouchers/vouchers.queries.ts`,
    from: 'it.added_until ?? null',
    to: 'it.added_until && null',
    test: `${features}/guests/extend/extend.test.ts`,
    title: 'keeps what the second of three vouchers gave when the first and then the last are revoked',
  },
  {
    wrong: 'a provider is asked for ever about a purchase that was not paid',
    file: `${features}/packages/purchases.queries.ts`,
    from: "when b.state = 'open' and b.created_at",
    to: "when b.state = 'open' or b.created_at",
    test: `${features}/packages/packages.test.ts`,
    title: 'a provider is not asked any more about a purchase',
  },
  {
    wrong: 'the refund of a purchase is not seen after its router was deleted',
    file: `${features}/packages/purchases.queries.ts`,
    from: 'left join devices d on d.id = b.device_id`;',
    to: 'join devices d on d.id = b.device_id`;',
    test: `${features}/packages/packages.test.ts`,
    title: 'by the bank or at the provider is found by asking',
  },
  {
    wrong: 'a domain stays with the tenant that had it before',
    from: 'update tenant_domains set verified_at = null, missing_since = null where host = p_host and tenant_id <> current_tenant();',
    to: '',
    test: domains,
    title: 'are not taken from another tenant or from the installation',
  },
  {
    wrong: 'the webhook of a tenant does not hear of its settings',
    from: 'if cardinality(changed) > 0 and tenant_has_webhook(new.id) then',
    to: 'if false then',
    test: events,
    title: 'a webhook of the whole tenant',
  },
  {
    wrong: 'the webhook of a tenant hears of settings that stayed the same',
    from: 'if cardinality(changed) > 0 and tenant_has_webhook(new.id) then',
    to: 'if tenant_has_webhook(new.id) then',
    test: events,
    title: 'a webhook of the whole tenant',
  },
  {
    wrong: 'a silent session uses up the time of the day without an end',
    from: 'least(now(), o.updated_at + make_interval(secs => 3 * o.interim)) as until',
    to: 'now() as until',
    test: `${features}/guests/online/balance.test.ts`,
    title: 'a session without reports counts for three of their intervals',
  },
  {
    wrong: 'vouchers keep a deleted profile',
    from: 'update voucher_batches set profile_id = p_replacement, updated_at = now()',
    to: 'update voucher_batches set updated_at = now()',
    test: `${features}/profiles/profiles.test.ts`,
    title: 'in use are deleted only with a replacement of the same location',
  },
  {
    wrong: 'packages keep a deleted profile',
    from: 'update packages set profile_id = p_replacement, updated_at = now()',
    to: 'update packages set updated_at = now()',
    test: `${features}/packages/packages.test.ts`,
    title: 'get the profile that replaces a deleted one',
  },
  {
    wrong: 'sessions from a clock that was ahead stay in the future',
    from: 'return clamp_future_device_times() + clamp_future_session_times();',
    to: 'return clamp_future_device_times();',
    test: `${features}/clock/clock.test.ts`,
    title: 'its sessions do not rank before new ones, and end when they send nothing',
  },
  {
    wrong: 'devices from a clock that was ahead stay in the future',
    from: 'return clamp_future_device_times() + clamp_future_session_times();',
    to: 'return clamp_future_session_times();',
    test: `${features}/clock/clock.test.ts`,
    title: 'a silent device goes offline, and one that was never seen stays offline',
  },
  {
    wrong: 'lines from before a change of the brand are read with the words of the new one',
    from: 'new.brand_changed_at := now();',
    to: '',
    test: `${features}/identity/changed-brand.test.ts`,
    title: 'lines from before a change of the brand are read with the words of that time',
  },
  {
    wrong: 'the words of a guest who is erased stay in the log of a webhook',
    from: 'delete from webhook_deliveries where tenant_id = old.tenant_id and response_id = old.id;',
    to: '',
    test: `${features}/guests/surveys/surveys.test.ts`,
    title: 'triggers a webhook when answered, whose payload is deleted with the answer',
  },
  {
    wrong: 'a webhook is told of a moment that was before',
    from: "or parts[3] in ('*', after->>parts[2]))",
    to: 'or parts[3] is not null)',
    test: events,
    title: '',
  },
  {
    wrong: 'a tenant changes the settings of another one',
    statement: 'alter policy tenant on tenants using (true)',
    test: 'server/src/test/isolation.test.ts',
    title: 'holds for the row of a tenant itself',
  },
  {
    wrong: 'a view shows the pictures of all tenants',
    statement: 'alter view used_pictures reset (security_invoker)',
    test: 'server/src/test/isolation.test.ts',
    title: 'holds through every view',
  },
  {
    wrong: 'the application may read the keys of all tenants',
    statement: 'grant select on tenant_keys to portico_app',
    test: 'server/src/test/isolation.test.ts',
    title: 'is not needed elsewhere',
  },
  {
    wrong: 'the report does not say what proves its answer',
    file: `${features}/identity/report.ts`,
    from: '[words.proofLabel, words.proofs[match.proof]],',
    to: '',
    test: `${features}/identity/identity.test.ts`,
    title: 'is signed with a permanent key, is in the audit log and has Turkish letters',
  },
];
