import type { StatisticsQuery } from '@portico/contract/statistics.ts';
import Bowser from 'bowser';
import type { Tx } from '#db/tenant.ts';
import { countUnread } from '#features/notifications/public.ts';
import { periodOf } from '#features/sessions/public.ts';
import type { Actor } from '#http/actor.ts';
import * as queries from './statistics.queries.ts';

const day = 86_400_000;

async function counted(tx: Tx, actor: Actor, query: StatisticsQuery): Promise<queries.Counted> {
  const only = query.locationIds?.length === 1 ? query.locationIds[0]! : null;
  const period = await periodOf(tx, actor.activeLocationId ?? only, {
    from: query.start_at,
    to: query.end_at,
    days: 7,
  });
  return { scope: actor.scope, locationIds: query.locationIds, deviceIds: query.deviceIds, ...period };
}

export async function overview(tx: Tx, actor: Actor, query: StatisticsQuery) {
  const it = await counted(tx, actor, query);
  const [counts, notifications] = await Promise.all([queries.getOverview(tx, it), countUnread(tx, actor)]);
  return { ...counts, notifications };
}

export async function agents(tx: Tx, actor: Actor, query: StatisticsQuery, kind: 'platform' | 'browser' | 'device') {
  const rows = await queries.countAgents(tx, await counted(tx, actor, query), kind);
  const values = rows.map(row => row.sign_ins);
  return {
    data: { labels: rows.map(row => row.value), values },
    meta: { total: values.reduce((sum, n) => sum + n, 0) },
  };
}

/** By hour up to two days, by day up to ninety, by month beyond. */
const bucketOf = (ms: number) => (ms <= 2 * day ? 'hour' : ms <= 90 * day ? 'day' : 'month');

export async function visits(tx: Tx, actor: Actor, query: StatisticsQuery) {
  const it = await counted(tx, actor, query);
  const bucket = bucketOf(Date.parse(it.until) - Date.parse(it.since));
  const rows = await queries.countVisits(tx, it, bucket);
  const column = (name: 'visits' | 'upload' | 'download') => rows.map(row => row[name]);
  return {
    data: {
      bucket,
      labels: rows.map(row => row.label),
      values: column('visits'),
      upload: column('upload'),
      download: column('download'),
    },
    meta: { total: column('visits').reduce((sum, n) => sum + n, 0) },
  } as const;
}

/** Counts what a guest signs in with; a browser that says nothing counts as unknown. */
export async function recordAgent(
  tx: Tx,
  it: { locationId: string; deviceId: string; userAgent: string },
): Promise<void> {
  const { browser, os, platform } = Bowser.parse(it.userAgent.slice(0, 512) || 'unknown');
  const kinds = {
    browser: browser.name || 'unknown',
    platform: os.name || 'unknown',
    device: platform.type || 'unknown',
  };
  await queries.addAgent(tx, { ...it, kinds });
}
