import type { AdResults } from '@portico/contract/advertisements.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { SurveyText } from '@portico/contract/surveys.ts';
import sql, { empty } from 'sql-template-tag';
import { bound, countRows, pageOf } from '#db/list.ts';
import { localTime } from '#db/local-time.ts';
import { andDevice, type Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';
import type { NamedQuestion } from './survey-parts.ts';

/** Answers to surveys and views of advertisements. Readers see those of their own locations and devices. */

/** Where a guest sees a survey or an advertisement, and when; now without `time`. */
export interface ShownAt {
  readonly locationId: string;
  readonly deviceId: string;
  readonly time?: Date;
}

export interface GuestSurvey {
  id: string;
  name: string;
  questions: NamedQuestion[];
}

export const findGuestSurvey = (tx: Tx, portalId: string, surveyId: string) =>
  tx.maybe<GuestSurvey>(
    sql`select id, name, questions from portal_surveys where portal_id = ${portalId} and id = ${surveyId}`,
  );

/**
 * Whether this guest was asked before: the device, the visitor, or before a sign-in the visitor who came last with this device.
 * A visitor counts as asked on all its devices.
 */
export const wasAsked = async (
  tx: Tx,
  surveyId: string,
  guest: { mac: string; visitorId: string | null; locationId: string },
) =>
  (await tx.maybe(sql`
    select 1 from survey_responses where survey_id = ${surveyId} and client_mac = parse_mac(${guest.mac})
    union all
    select 1 from (select coalesce(${guest.visitorId}::uuid, (select g.visitor_id from guest_devices g
        where g.location_id = ${guest.locationId} and g.client_mac = parse_mac(${guest.mac}))) as id) v
    where exists (select from survey_responses r where r.visitor_id = v.id and r.survey_id = ${surveyId})
      or exists (select from survey_asked a where a.visitor_id = v.id and a.survey_id = ${surveyId})
    limit 1`)) !== undefined;

/** Makes the devices of a visitor answer one after the other. */
export const lockAnswersOf = (tx: Tx, it: { surveyId: string; visitorId: string }) =>
  tx.run(sql`select pg_advisory_xact_lock(lock_key('survey-visitor', ${it.surveyId + it.visitorId}))`);

/** Notes for a visitor the surveys that its device has answered or skipped, such as before the sign-in. */
export const noteAsked = (tx: Tx, it: { surveyIds: readonly string[]; mac: string; visitorId: string }) =>
  tx.run(sql`
    insert into survey_asked (visitor_id, survey_id)
    select ${it.visitorId}::uuid, survey_id from survey_responses
    where survey_id = any(${it.surveyIds}::uuid[]) and client_mac = parse_mac(${it.mac})
    on conflict do nothing`);

const dayOf = ({ locationId, time }: Pick<ShownAt, 'locationId' | 'time'>) => sql`
  (select (coalesce(${time ?? null}::timestamptz, now()) at time zone l.time_zone)::date from locations l where l.id = ${locationId})`;

export const countSurvey = (tx: Tx, surveyId: string, at: ShownAt, what: 'shown' | 'answered' | 'skipped') => {
  const one = (column: string) => (column === what ? 1 : 0);
  return tx.run(sql`
    insert into survey_days as d (survey_id, day, location_id, device_id, shown, answered, skipped)
    values (${surveyId}, ${dayOf(at)}, ${at.locationId}, ${at.deviceId}, ${one('shown')}, ${one('answered')}, ${one('skipped')})
    on conflict (tenant_id, survey_id, day, device_id) do update set
      shown = d.shown + excluded.shown, answered = d.answered + excluded.answered, skipped = d.skipped + excluded.skipped`);
};

export interface NewResponse extends ShownAt {
  readonly id: string;
  readonly surveyId: string;
  readonly mac: string;
  readonly visitorId: string | null;
  readonly sessionId: string | null;
  readonly language: PortalLanguage;
  /** Null when skipped. */
  readonly answers: Readonly<Record<string, readonly string[] | string>> | null;
  /** Hash of the source address; null when a router vouches for the guest. */
  readonly addressHash: Buffer | null;
}

/** Returns 0 when this guest device has already answered. */
export const insertResponse = (tx: Tx, it: NewResponse) =>
  tx.run(sql`
    insert into survey_responses (id, survey_id, location_id, device_id, client_mac, visitor_id, session_id, language, answers, address_hash, created_at)
    values (${it.id}, ${it.surveyId}, ${it.locationId}, ${it.deviceId}, parse_mac(${it.mac}), ${it.visitorId}, ${it.sessionId}, ${it.language},
      ${it.answers && JSON.stringify(it.answers)}::jsonb, ${it.addressHash}, coalesce(${it.time ?? null}::timestamptz, now()))
    on conflict (tenant_id, survey_id, client_mac) do nothing`);

/** Counts responses to a survey from an address in the last hour. A lock serialises concurrent requests. */
export async function countResponsesFrom(tx: Tx, it: { surveyId: string; addressHash: Buffer }): Promise<number> {
  await tx.run(sql`select pg_advisory_xact_lock(lock_key('survey', ${it.surveyId + it.addressHash.toString('hex')}))`);
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*)::int as count from survey_responses
    where survey_id = ${it.surveyId} and address_hash = ${it.addressHash} and created_at > now() - interval '1 hour'`);
  return count;
}

/** Works across tenants. Address hashes are needed only for the hourly limit. */
export const deleteResponseAddresses = (tx: Tx) =>
  tx.run(sql`
    update survey_responses set address_hash = null where address_hash is not null and created_at < now() - interval '1 day'`);

/** A fixed order of rows avoids deadlocks between guests who answer at the same time. */
export const countAnswers = (
  tx: Tx,
  surveyId: string,
  at: ShownAt,
  chosen: readonly { question: string; answer: string }[],
) =>
  tx.run(sql`
    insert into survey_counts as c (survey_id, question_id, answer_id, location_id, device_id, count)
    select ${surveyId}::uuid, x.question, x.answer, ${at.locationId}::uuid, ${at.deviceId}::uuid, 1
    from jsonb_to_recordset(${JSON.stringify(chosen)}::jsonb) as x(question text, answer text) order by 2, 3
    on conflict (tenant_id, survey_id, question_id, answer_id, device_id) do update set count = c.count + 1`);

export type Score = 'promoters' | 'passives' | 'detractors';

/** A fixed order of rows avoids deadlocks. */
export const countScores = (
  tx: Tx,
  surveyId: string,
  at: ShownAt,
  scores: readonly { question: string; score: Score }[],
) =>
  tx.run(sql`
    insert into survey_scores as s (survey_id, question_id, day, location_id, device_id, promoters, passives, detractors)
    select ${surveyId}::uuid, x.question, ${dayOf(at)}, ${at.locationId}::uuid, ${at.deviceId}::uuid,
      (x.score = 'promoters')::int, (x.score = 'passives')::int, (x.score = 'detractors')::int
    from jsonb_to_recordset(${JSON.stringify(scores)}::jsonb) as x(question text, score text) order by 2
    on conflict (tenant_id, survey_id, question_id, day, device_id) do update set promoters = s.promoters + excluded.promoters,
      passives = s.passives + excluded.passives, detractors = s.detractors + excluded.detractors`);

export interface AdShown extends ShownAt {
  readonly adId: string;
  readonly mac: string;
}

/** A fixed order of rows avoids deadlocks. Only advertisements with a daily cap need to know who has seen them. */
export async function countViews(tx: Tx, shown: readonly AdShown[]): Promise<void> {
  await tx.run(sql`
    insert into ad_guests as g (ad_id, client_mac, day, views)
    select a.id, parse_mac(x.mac), local_day(l.time_zone), count(*)
    from unnest(${shown.map(it => it.adId)}::uuid[], ${shown.map(it => it.locationId)}::uuid[], ${shown.map(it => it.mac)}::text[])
      as x (ad_id, location_id, mac)
    join portal_ads a on a.id = x.ad_id join locations l on l.id = x.location_id
    where a.daily_cap is not null and parse_mac(x.mac) is not null
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, ad_id, client_mac, day) do update set views = g.views + excluded.views`);
  await tx.run(sql`
    insert into ad_days as d (ad_id, day, location_id, device_id, views)
    select a.id, local_day(l.time_zone), l.id, x.device_id, count(*)
    from unnest(${shown.map(it => it.adId)}::uuid[], ${shown.map(it => it.locationId)}::uuid[], ${shown.map(it => it.deviceId)}::uuid[])
      as x (ad_id, location_id, device_id)
    join portal_ads a on a.id = x.ad_id join locations l on l.id = x.location_id
    group by 1, 2, 3, 4 order by 1, 2, 4
    on conflict (tenant_id, ad_id, day, device_id) do update set views = d.views + excluded.views`);
}

/** Counts a click of a guest device once a day. */
export const countClick = (tx: Tx, { adId, mac, locationId, deviceId }: AdShown) =>
  tx.run(sql`
    with first as (
      insert into ad_guests as g (ad_id, client_mac, day, clicked)
      values (${adId}, parse_mac(${mac}), ${dayOf({ locationId })}, true)
      on conflict (tenant_id, ad_id, client_mac, day) do update set clicked = true where not g.clicked
      returning ad_id, day)
    insert into ad_days as d (ad_id, day, location_id, device_id, views, clicks)
    select ad_id, day, ${locationId}::uuid, ${deviceId}::uuid, 0, 1 from first
    on conflict (tenant_id, ad_id, day, device_id) do update set clicks = d.clicks + 1`);

/** Adds the figures of past days. */
export const addPastFigures = (
  tx: Tx,
  figures: readonly {
    adId: string;
    day: string;
    locationId: string;
    deviceId: string;
    views: number;
    clicks: number;
  }[],
) =>
  tx.run(sql`
    insert into ad_days (ad_id, day, location_id, device_id, views, clicks)
    select x."adId", x.day, x."locationId", x."deviceId", x.views, x.clicks
    from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb)
      as x("adId" uuid, day date, "locationId" uuid, "deviceId" uuid, views bigint, clicks bigint)
    on conflict do nothing`);

/** Works across tenants. A cap and a click count for a day; no time zone is two days behind. */
export const forgetAdGuests = (tx: Tx) => tx.run(sql`delete from ad_guests where day < current_date - 1`);

export const eraseAdGuest = (tx: Tx, mac: string) =>
  tx.run(sql`delete from ad_guests where client_mac = parse_mac(${mac})`);

const seen = (scope: Scope) => andDevice(scope, sql`r.location_id`, sql`r.device_id`);

export const sumSurvey = (tx: Tx, scope: Scope, surveyId: string) =>
  tx.one<{ shown: number; answered: number; skipped: number }>(sql`
    select coalesce(sum(r.shown), 0)::bigint as shown, coalesce(sum(r.answered), 0)::bigint as answered,
      coalesce(sum(r.skipped), 0)::bigint as skipped
    from survey_days r where r.survey_id = ${surveyId} ${seen(scope)}`);

export const sumAnswers = (tx: Tx, scope: Scope, surveyId: string) =>
  tx.many<{ question_id: string; answer_id: string; count: number }>(sql`
    select r.question_id, r.answer_id, sum(r.count)::bigint as count from survey_counts r
    where r.survey_id = ${surveyId} ${seen(scope)} group by 1, 2`);

/** The latest 30 days in the reader's time zone. */
const lately = (timeZone: string) => sql`
  generate_series(local_day(${timeZone}) - 29, local_day(${timeZone}), interval '1 day') as g(at)`;

export const surveyDays = (tx: Tx, scope: Scope, surveyId: string, timeZone: string) =>
  tx.many<{ day: string; shown: number; answered: number }>(sql`
    select to_char(g.at, 'YYYY-MM-DD') as day, coalesce(sum(r.shown), 0)::bigint as shown, coalesce(sum(r.answered), 0)::bigint as answered
    from ${lately(timeZone)} left join survey_days r on r.day = g.at::date and r.survey_id = ${surveyId} ${seen(scope)}
    group by g.at order by g.at`);

/** The latest 26 weeks in the reader's time zone, by their Mondays. */
const weeks = (timeZone: string) => sql`
  generate_series(date_trunc('week', local_day(${timeZone})) - interval '25 weeks', date_trunc('week', local_day(${timeZone})), interval '1 week') as g(at)`;

export const surveyWeeks = (tx: Tx, scope: Scope, surveyId: string, timeZone: string) =>
  tx.many<{ week: string; shown: number; answered: number }>(sql`
    select to_char(g.at, 'YYYY-MM-DD') as week, coalesce(sum(r.shown), 0)::bigint as shown, coalesce(sum(r.answered), 0)::bigint as answered
    from ${weeks(timeZone)} left join survey_days r on r.day >= g.at::date and r.day < g.at::date + 7 and r.survey_id = ${surveyId} ${seen(scope)}
    group by g.at order by g.at`);

type ScoreWeek = Record<Score, number> & { week: string };

/** The answers to a question from 0 to 10, likewise. */
export const scoreWeeks = (tx: Tx, scope: Scope, it: { surveyId: string; question: string; timeZone: string }) =>
  tx.many<ScoreWeek>(sql`
    select to_char(g.at, 'YYYY-MM-DD') as week, coalesce(sum(r.promoters), 0)::bigint as promoters,
      coalesce(sum(r.passives), 0)::bigint as passives, coalesce(sum(r.detractors), 0)::bigint as detractors
    from ${weeks(it.timeZone)} left join survey_scores r on r.day >= g.at::date and r.day < g.at::date + 7
      and r.survey_id = ${it.surveyId} and r.question_id = ${it.question} ${seen(scope)}
    group by g.at order by g.at`);

export async function listTexts(
  tx: Tx,
  scope: Scope,
  it: {
    surveyId: string;
    question: string;
    language?: PortalLanguage | undefined;
    page: number;
    per_page: number;
  },
): Promise<Rows<SurveyText>> {
  const from = sql`from survey_responses r
    where r.survey_id = ${it.surveyId} and jsonb_typeof(r.answers->${it.question}) = 'string'
      ${it.language ? sql`and r.language = ${it.language}` : empty} ${seen(scope)}`;
  const [rows, total] = await Promise.all([
    tx.many<SurveyText>(sql`
      select r.id, r.answers->>${it.question} as text, r.language, r.created_at ${from} order by r.id desc ${pageOf(it)}`),
    countRows(tx, from, it),
  ]);
  return { rows, total };
}

export interface ResponseRow {
  id: string;
  at: string;
  language: string;
  mac: string;
  visitor: string | null;
  answers: Record<string, string[] | string>;
}

/** The next answers after id `after`, oldest first. */
export const listResponses = (tx: Tx, scope: Scope, it: { surveyId: string; timeZone: string; after: string | null }) =>
  tx.many<ResponseRow>(sql`
    select r.id, ${localTime(sql`r.created_at`, it.timeZone)} as at, r.language,
      upper(r.client_mac::text) as mac, v.name as visitor, r.answers
    from survey_responses r left join visitors v on v.id = r.visitor_id
    where r.survey_id = ${it.surveyId} and r.answers is not null ${seen(scope)} ${it.after ? sql`and r.id > ${it.after}::uuid` : empty}
    order by r.id limit 500`);

export const adDays = (tx: Tx, scope: Scope, portalId: string, timeZone: string) =>
  tx.many<AdResults>(sql`
    select a.id, total.views, total.clicks,
      (select json_agg(json_build_object('day', x.day, 'views', x.views, 'clicks', x.clicks) order by x.day) from (
        select to_char(g.at, 'YYYY-MM-DD') as day, coalesce(sum(r.views), 0)::bigint as views, coalesce(sum(r.clicks), 0)::bigint as clicks
        from ${lately(timeZone)} left join ad_days r on r.day = g.at::date and r.ad_id = a.id ${seen(scope)}
        group by g.at) x) as days
    from portal_ads a cross join lateral (
      select coalesce(sum(r.views), 0)::bigint as views, coalesce(sum(r.clicks), 0)::bigint as clicks
      from ad_days r where r.ad_id = a.id ${seen(scope)}) total
    where a.portal_id = ${portalId} order by a.id`);

export interface AdDayRow {
  id: string;
  day: string;
  name: string;
  views: number;
  clicks: number;
}

/** Each chunk sums up what is left, so few of them are read. */
export const adDaysAtOnce = 5000;

/** The next days of a portal's advertisements after `after`, oldest first. Removed advertisements keep their figures. */
export const listAdDays = (tx: Tx, scope: Scope, it: { portalId: string; after: AdDayRow | null }) =>
  tx.many<AdDayRow>(sql`
    select a.id, to_char(r.day, 'YYYY-MM-DD') as day, a.name, sum(r.views)::bigint as views, sum(r.clicks)::bigint as clicks
    from ad_days r join portal_ads a on a.id = r.ad_id
    where ${it.portalId} in (a.portal_id, a.retired_from) ${seen(scope)}
      ${it.after ? sql`and r.day >= ${it.after.day}::date and (r.day, a.id) > (${it.after.day}::date, ${it.after.id}::uuid)` : empty}
    group by a.id, r.day, a.name order by r.day, a.id limit ${bound(adDaysAtOnce)}`);

/** Deletes the answers of a guest who erases their data: as visitor, and of their device before a sign-in. */
export async function eraseResponses(
  tx: Tx,
  it: { visitorId: string; locationId: string; mac: string },
): Promise<void> {
  await tx.run(sql`delete from survey_asked where visitor_id = ${it.visitorId}`);
  await tx.run(sql`
    delete from survey_responses where visitor_id = ${it.visitorId}
      or (location_id = ${it.locationId} and client_mac = parse_mac(${it.mac}) and visitor_id is null)`);
}

/** Deletes old answers without a visitor (before a sign-in, or of a deleted visitor), across tenants. Returns the count. */
export const deleteAnonymousResponses = (tx: Tx, { days, limit }: { days: number; limit: number }): Promise<number> =>
  tx.run(sql`
    delete from survey_responses where (tenant_id, id) in (
      select tenant_id, id from survey_responses where visitor_id is null and created_at < now() - make_interval(days => ${days})
      limit ${limit})`);
