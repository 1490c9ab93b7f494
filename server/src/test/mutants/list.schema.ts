import type { Mutant } from './mutant.ts';

const features = 'server/src/features';
const archive = `${features}/sessions/archive/dropped-month.test.ts`;
const addresses = `${features}/identity/changed-address.test.ts`;
const events = `${features}/integrations/webhook-events.test.ts`;
const isolation = 'server/src/test/isolation.test.ts';

const ofArchive: readonly Mutant[] = [
  {
    wrong: 'a month that changed since it was copied is dropped',
    from: "if it.state is distinct from 'copying' or it.changed or not it.watched then return false; end if;",
    to: "if it.state is distinct from 'copying' or not it.watched then return false; end if;",
    test: archive,
    title: 'stays here while anything of it changes after the copy',
  },
  {
    wrong: 'a month is dropped while its changes are not noted',
    from: "if it.state is distinct from 'copying' or it.changed or not it.watched then return false; end if;",
    to: "if it.state is distinct from 'copying' or it.changed then return false; end if;",
    test: archive,
    title: 'stays here while its changes are not noted',
  },
  {
    wrong: 'sessions that must stay go with their month',
    from: "if kept_ids <> '{}' then",
    to: 'if false then',
    test: archive,
    title: 'leaves the sessions here that ended lately',
  },
  {
    wrong: 'a month is dropped though a session that must stay is not found',
    from: 'if moved <> cardinality(kept_ids) then',
    to: 'if false then',
    test: archive,
    title: 'is not dropped if a session that must stay is not found',
  },
  {
    wrong: 'the sessions that stay are open to other tenants after a month was dropped',
    from: 'alter table session_history_other force row level security;\n    if moved',
    to: 'if moved',
    test: archive,
    title: 'leaves the sessions here that ended lately',
  },
  {
    wrong: 'two months that are moved in the same second have the same number',
    from: 'greatest(extract(epoch from clock_timestamp())::bigint, max(batch) + 1), p_month',
    to: 'extract(epoch from clock_timestamp())::bigint, p_month',
    test: archive,
    title: 'has a number of its own',
  },
  {
    wrong: 'a change of a month is not noted while it is copied',
    from: 'update session_archives set changed = true where batch = tg_argv[0]::bigint',
    to: 'update session_archives set changed = changed where batch = tg_argv[0]::bigint',
    test: archive,
    title: 'stays here while anything of it changes after the copy',
  },
];

const ofAddresses: readonly Mutant[] = [
  {
    wrong: 'a late report of the known address of a closed session proves nothing',
    from: "or (m.fact).ip = k.known and (action in ('amend', 'reopen') or (m.fact).at < k.last_at) and exists (",
    to: 'or (m.fact).ip = k.known and (m.fact).at < k.last_at and exists (',
    test: addresses,
    title: '',
  },
  {
    wrong: 'the time of the known address goes on although another one was reported last',
    from: 'where excluded.last_at > upper(a.held) and not exists (',
    to: 'where excluded.last_at > upper(a.held) or not exists (',
    test: addresses,
    title: '',
  },
  {
    wrong: 'the known address ends at the report before the latest',
    from: 'held = a.held + tstzmultirange(tstzrange(upper(a.held), excluded.last_at',
    to: 'held = a.held + tstzmultirange(tstzrange(upper(a.held), upper(a.held)',
    test: addresses,
    title: '',
  },
  {
    wrong: 'a late report takes the first moment of an address too',
    from: "case when lower(r) < c.at then '()' else '[)' end",
    to: "'()'",
    test: addresses,
    title: '',
  },
  {
    wrong: 'the time since the report before is not certain though both name the same address',
    from: 'coalesce(max(upper(r)) filter (where upper(r) < c.at), c.at)',
    to: 'c.at',
    test: addresses,
    title: '',
  },
  {
    wrong: 'the time to the next report is not certain though both name the same address',
    from: 'coalesce(min(lower(r)) filter (where lower(r) > c.at), c.at)',
    to: 'c.at',
    test: addresses,
    title: '',
  },
];

/** Functions and triggers of the schema that have no defect in the other lists. */
export const ofSchema: readonly Mutant[] = [
  ...ofArchive,
  ...ofAddresses,
  {
    wrong: 'a blocked visitor has time left',
    from: 'select case when v.blocked then 0\n',
    to: 'select case when false then 0\n',
    test: `${features}/guests/online/balance.test.ts`,
    title: 'a paused visitor who is offline has no time left either',
  },
  {
    wrong: 'an hour on the day that clocks change ends at the next full hour of the old clock',
    from: 'when extract(hour from next_full_hour(at, zone) at time zone zone) <> extract(hour from at at time zone zone) then',
    to: 'when true then',
    test: `${features}/sessions/accounting-edges.test.ts`,
    title: '',
  },
  {
    wrong: 'a deleted guest stays in the consents',
    from: 'perform erase_consents(old.tenant_id, old.id);\n  return case',
    to: 'return case',
    test: `${features}/consents/consents.test.ts`,
    title: '',
  },
  {
    wrong: 'a webhook of the whole tenant hears of no location',
    from: '(i.location_id = location or i.location_id is null)',
    to: 'i.location_id = location',
    test: events,
    title: 'is told of a sale at a location without a webhook',
  },
  {
    wrong: 'what a webhook was told of an erased visitor stays',
    from: 'delete from webhook_deliveries where tenant_id = old.tenant_id and visitor_id = old.id;',
    to: '',
    test: `${features}/integrations/webhook.test.ts`,
    title: '',
  },
  {
    wrong: 'the periods of a portal are in another order than they were saved',
    from: 'order by e.n)',
    to: 'order by e.n desc)',
    test: `${features}/guests/periods.test.ts`,
    title: 'is told in the order in which it was saved',
  },
  {
    wrong: 'upload and download of a session are mixed up in its days',
    from: 'coalesce(sum(p.upload), 0)::bigint, coalesce(sum(p.download), 0)::bigint',
    to: 'coalesce(sum(p.download), 0)::bigint, coalesce(sum(p.upload), 0)::bigint',
    test: `${features}/sessions/figures.test.ts`,
    title: 'with a session that was used in several hours before it was closed',
  },
  {
    wrong: 'what is append-only can be changed with a note',
    from: "raise exception '% is append-only', tg_table_name;",
    to: "raise notice '% is append-only', tg_table_name; return new;",
    test: `${features}/audit/audit.test.ts`,
    title: 'cannot be changed, not even by the database',
  },
  {
    wrong: 'a tenant changes while it is exported',
    from: "raise exception 'the tenant is being moved' using errcode = 'PTMOV';",
    to: 'return coalesce(new, old);',
    test: 'server/src/services/move/move.test.ts',
    title: '',
  },
  {
    wrong: 'a purchase on the bill waits for the job after the hotel has answered',
    from: 'update purchases set check_at = now()\n  where tenant_id = p_tenant',
    to: 'update purchases set check_at = check_at\n  where tenant_id = p_tenant',
    test: `${features}/room-charges/room-purchases.test.ts`,
    title: 'is posted once though the line breaks twice',
  },
  {
    wrong: 'ids of one millisecond are in no order',
    from: '* 512 / 125)',
    to: '/ 1000 * 4096)',
    test: 'server/src/db/shared-functions.test.ts',
    title: 'ids that the database makes are in the order of their time',
  },
  {
    wrong: 'a guest is not found by an address within its IPv6 network',
    from: 'generate_series(32, masklen(address)) n)',
    to: 'generate_series(128, masklen(address)) n)',
    test: `${features}/sessions/ipv6.test.ts`,
    title: '',
  },
  {
    wrong: 'of the guests of a batch only one is let in',
    from: 'array(select g from jsonb_populate_recordset(null::admission_grant, grants) g)',
    to: 'array(select g from jsonb_populate_recordset(null::admission_grant, grants) g limit 1)',
    test: `${features}/sessions/sign-in.test.ts`,
    title: '',
  },
  {
    wrong: 'no tenant is set in any query',
    from: "select nullif(current_setting('portico.tenant', true), '')::uuid",
    to: 'select null::uuid',
    test: isolation,
    title: '',
  },
  {
    wrong: 'half a MAC address is one',
    from: "'^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$'",
    to: "'^[0-9a-f]{2}([:-][0-9a-f]{2}){5}'",
    test: 'server/src/db/shared-functions.test.ts',
    title: '',
  },
  {
    wrong: 'an address with a number above 255 is one',
    from: "'^((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?=.)|$)){4}$'",
    to: "'^(\\d{1,3}(\\.(?=.)|$)){4}$'",
    test: 'server/src/db/shared-functions.test.ts',
    title: '',
  },
  {
    wrong: 'the day of a location is that of another zone',
    from: 'select (now() at time zone zone)::date',
    to: "select (now() at time zone 'UTC')::date + (zone = '')::int",
    test: 'server/src/db/shared-functions.test.ts',
    title: 'the day of a location is that of its clocks',
  },
  {
    wrong: 'a time after now is kept when the clock was corrected',
    from: 'select case when at > now() then now() else at end',
    to: 'select at',
    test: `${features}/clock/clock.test.ts`,
    title: 'a silent device goes offline',
  },
];
