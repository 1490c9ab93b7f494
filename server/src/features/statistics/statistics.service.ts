import { type CurrentProblem, currentProblem, type StatisticsQuery } from '@portico/contract/statistics.ts';
import type { Tx } from '#db/tenant.ts';
import { actorIn } from '#features/locations/public.ts';
import { countUnread } from '#features/notifications/public.ts';
import { periodOf } from '#features/sessions/public.ts';
import { type Actor, isLimited, may } from '#http/actor.ts';
import { invalid } from '#http/app-error.ts';
import type { Tenant } from '#http/call.ts';
import { offsetMs } from '#lib/moments.ts';
import { countLastDay, getSetup, columnsOf as hoursOf, listHealth } from './health.queries.ts';
import { listProblems } from './problems.queries.ts';
import * as queries from './statistics.queries.ts';

const day = 86_400_000;
/** Longer than any retention period. */
const longest = 10 * 366 * day;

async function counted(tx: Tx, by: Actor, query: StatisticsQuery): Promise<queries.CountFilter> {
  const actor = await actorIn(tx, by, query);
  const period = await periodOf(tx, actor.timeZone, {
    from: query.start_at,
    to: query.end_at,
    // Seven days including today.
    days: 6,
  });
  const long = Date.parse(period.until) - Date.parse(period.since);
  if (long <= 0) throw invalid({ end_at: 'after_start' });
  // Years that do not parse (before 1, after 9999) are out of range too.
  if (!(long <= longest)) throw invalid({ start_at: 'period_long' });
  return { scope: actor.scope, deviceIds: query.deviceIds, ...period };
}

const before = async (tx: Tx, it: queries.CountFilter): Promise<queries.CountFilter> => ({
  ...it,
  ...(await queries.periodBefore(tx, it)),
});

export async function overview(tx: Tx, actor: Actor, query: StatisticsQuery) {
  const it = await counted(tx, actor, query);
  const [counts, notifications] = await Promise.all([queries.getOverview(tx, it), countUnread(tx, actor)]);
  if (!query.compare) return { ...counts, notifications };
  return { ...counts, notifications, previous: await queries.countPeriod(tx, await before(tx, it)) };
}

export async function agents(tx: Tx, actor: Actor, query: StatisticsQuery, kind: 'platform' | 'browser' | 'device') {
  const rows = await queries.countAgents(tx, await counted(tx, actor, query), kind);
  const values = rows.map(row => row.sign_ins);
  return {
    data: { labels: rows.map(row => row.value), values },
    meta: { total: values.reduce((sum, n) => sum + n, 0) },
  };
}

type Only = Pick<StatisticsQuery, 'location_id' | 'locationIds'>;

interface Asked {
  readonly actor: Actor;
  readonly tenant: Tenant;
  readonly query: Only;
}

/** The kinds of problems that the caller may see and mend, the worst first. */
function kindsFor({ actor, tenant }: Asked): CurrentProblem['kind'][] {
  // Reseller hosts show no licences, and none is given there.
  const givesLicences = actor.canCreateLocation && tenant.variant !== 'reseller';
  const seen: Record<CurrentProblem['kind'], boolean> = {
    failed_logins: true,
    demo: givesLicences,
    licence: givesLicences,
    controller: may(actor, 'view-devices'),
    log_silence: may(actor, 'view-devices'),
    integration: may(actor, 'view-integrations') && !isLimited(actor),
    backlog: may(actor, 'view-devices'),
    certificate: may(actor, 'view-devices'),
    sms: !isLimited(actor),
  };
  return currentProblem.shape.kind.options.filter(kind => seen[kind]);
}

export const problems = async (tx: Tx, it: Asked) =>
  listProblems(tx, { scope: (await actorIn(tx, it.actor, it.query)).scope, kinds: kindsFor(it) }, 20);

export async function health(tx: Tx, it: Asked) {
  const { scope } = await actorIn(tx, it.actor, it.query);
  const rows = await listHealth(tx, { scope, kinds: kindsFor(it) }, 20);
  return {
    data: rows.map(({ location, service, devices, offline, waiting, problems: count, onlines }) => ({
      location,
      service,
      devices,
      offline,
      waiting,
      problems: count,
      onlines,
    })),
    meta: { total: rows[0]?.total ?? 0, well: rows[0]?.well ?? 0 },
  };
}

export const setup = async (tx: Tx, actor: Actor, only: Only) =>
  getSetup(tx, { scope: (await actorIn(tx, actor, only)).scope });

export async function lastDay(tx: Tx, actor: Actor, query: Only & { deviceIds?: string[] | undefined }) {
  const { zone, ...selected } = await counted(tx, actor, query);
  return hoursOf(await countLastDay(tx, selected, zone));
}

/** By hour up to two days, by day up to ninety, else by month. Rounding handles days of 23 and 25 hours. */
function bucketOf({ since, until, zone }: queries.CountFilter) {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const long = to + offsetMs(to, zone) - from - offsetMs(from, zone);
  return long <= 2 * day ? 'hour' : long <= 90 * day ? 'day' : 'month';
}

export async function visits(tx: Tx, actor: Actor, query: StatisticsQuery) {
  const it = await counted(tx, actor, query);
  const bucket = bucketOf(it);
  const { labels, ...now } = columnsOf(await queries.countVisits(tx, it, bucket));
  const earlier = query.compare ? columnsOf(await queries.countVisits(tx, await before(tx, it), bucket)) : undefined;
  // Months and days differ in length: a missing bucket counts as empty, a surplus one is dropped.
  const aligned = (values: number[]) => labels.map((_, i) => values[i] ?? 0);
  return {
    data: {
      bucket,
      labels,
      ...now,
      ...(earlier && {
        previous: {
          values: aligned(earlier.values),
          upload: aligned(earlier.upload),
          download: aligned(earlier.download),
        },
      }),
    },
    meta: { total: sum(now.values), ...(earlier && { previous_total: sum(earlier.values) }) },
  } as const;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const columnsOf = (rows: readonly queries.VisitRow[]) => ({
  labels: rows.map(row => row.label),
  values: rows.map(row => row.visits),
  upload: rows.map(row => row.upload),
  download: rows.map(row => row.download),
});
