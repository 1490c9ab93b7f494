import { type Advertisement, type AdvertisementOptions, noOptions } from '@portico/contract/advertisements.ts';
import type { Rule } from '@portico/contract/rules.ts';
import type { Survey } from '@portico/contract/surveys.ts';
import sql, { raw } from 'sql-template-tag';
import type { Tx } from '#db/tenant.ts';

/** All items nested in a portal, as stored in drafts and versions, with pictures as paths. */
export interface Nested {
  readonly surveys: readonly Pick<Survey, 'id' | 'name' | 'questions'>[];
  /** In the order in which they are evaluated. */
  readonly redirect_rules: readonly Pick<Rule, 'id' | 'state' | 'action' | 'survey_id' | 'url' | 'urls' | 'language'>[];
  readonly advertisements: readonly (Pick<Advertisement, 'id' | 'name' | 'type' | 'images' | 'embed_code'> &
    AdvertisementOptions)[];
}

/** The options of the row `a`, as key and value pairs. */
export const adOptionsJson = sql`'video', a.video, 'seconds', a.seconds, 'link', a.link, 'starts_on', a.starts_on, 'ends_on', a.ends_on, 'weekdays', a.weekdays,
  'languages', a.languages, 'weight', a.weight, 'daily_cap', a.daily_cap`;

export const findNested = (tx: Tx, portalId: string) =>
  tx.one<Nested>(sql`
    select
      coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name, 'questions', s.questions) order by s.id)
        from portal_surveys s where s.portal_id = ${portalId}), '[]') as surveys,
      coalesce((select json_agg(json_build_object('id', r.id, 'state', r.state, 'action', r.action, 'survey_id', r.survey_id,
        'url', r.url, 'urls', r.urls, 'language', r.language) order by r.position, r.id) from portal_rules r where r.portal_id = ${portalId}), '[]') as redirect_rules,
      coalesce((select json_agg(json_build_object('id', a.id, 'name', a.name, 'type', a.type, 'images', a.images,
        'embed_code', a.embed_code, ${adOptionsJson}) order by a.id) from portal_ads a where a.portal_id = ${portalId}), '[]') as advertisements`);

const options = (of: '' | 'a.' | 'x.' | 'excluded.') =>
  raw(
    Object.keys(noOptions)
      .map(column => of + column)
      .join(', '),
  );
/** Drafts and versions from before there were options have none. */
export const withOptions = <A extends Partial<AdvertisementOptions>>(ad: A) => ({ ...noOptions, ...ad });

/** Replaces all items nested in a portal. Unchanged items are not written. */
export async function replaceNested(tx: Tx, portalId: string, nested: Nested): Promise<void> {
  const { surveys, redirect_rules: rules, advertisements: ads } = nested;
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);
  await tx.run(sql`delete from portal_rules where portal_id = ${portalId} and id <> all(${ids(rules)}::uuid[])`);
  await tx.run(sql`
    insert into portal_surveys as s (id, portal_id, name, questions)
    select x.id, ${portalId}, x.name, x.questions
    from jsonb_to_recordset(${JSON.stringify(surveys)}::jsonb) as x(id uuid, name text, questions jsonb)
    on conflict (tenant_id, id) do update set portal_id = excluded.portal_id, retired_from = null, name = excluded.name,
      questions = excluded.questions, updated_at = now()
    where coalesce(s.portal_id, s.retired_from) = excluded.portal_id
      and (s.portal_id, s.name, s.questions) is distinct from (excluded.portal_id, excluded.name, excluded.questions)`);
  await tx.run(sql`
    insert into portal_rules as r (id, portal_id, position, state, action, survey_id, url, urls, language)
    select x.id, ${portalId}, x.position, x.state, x.action, x.survey_id, x.url, x.urls, x.language
    from jsonb_to_recordset(${JSON.stringify(rules.map((rule, i) => ({ ...rule, position: i + 1 })))}::jsonb)
      as x(id uuid, position int, state text, action text, survey_id uuid, url text, urls jsonb, language text)
    on conflict (tenant_id, id) do update set position = excluded.position, state = excluded.state, action = excluded.action,
      survey_id = excluded.survey_id, url = excluded.url, urls = excluded.urls, language = excluded.language, updated_at = now()
    where r.portal_id = excluded.portal_id and (r.position, r.state, r.action, r.survey_id, r.url, r.urls, r.language) is distinct from
      (excluded.position, excluded.state, excluded.action, excluded.survey_id, excluded.url, excluded.urls, excluded.language)`);
  await tx.run(sql`
    update portal_surveys set portal_id = null, retired_from = ${portalId}
    where portal_id = ${portalId} and id <> all(${ids(surveys)}::uuid[])`);
  await tx.run(sql`
    insert into portal_ads as a (id, portal_id, name, type, images, embed_code, ${options('')})
    select x.id, ${portalId}, x.name, x.type, x.images, x.embed_code, ${options('x.')}
    from jsonb_to_recordset(${JSON.stringify(ads.map(withOptions))}::jsonb) as x(id uuid, name text, type text, images text[],
      embed_code text, video text, seconds int, link text, starts_on date, ends_on date, weekdays int[], languages text[], weight int, daily_cap int)
    on conflict (tenant_id, id) do update set portal_id = excluded.portal_id, retired_from = null, name = excluded.name,
      type = excluded.type, images = excluded.images, embed_code = excluded.embed_code, updated_at = now(),
      (${options('')}) = (select ${options('excluded.')})
    where coalesce(a.portal_id, a.retired_from) = excluded.portal_id
      and (a.portal_id, a.name, a.type, a.images, a.embed_code, ${options('a.')}) is distinct from
        (excluded.portal_id, excluded.name, excluded.type, excluded.images, excluded.embed_code, ${options('excluded.')})`);
  await tx.run(sql`
    update portal_ads set portal_id = null, retired_from = ${portalId}
    where portal_id = ${portalId} and id <> all(${ids(ads)}::uuid[])`);
}

/** Deletes removed surveys and advertisements that no version and no draft refers to any more. */
export async function deleteUnreferenced(tx: Tx, portalId: string): Promise<void> {
  for (const [table, list] of [
    ['portal_surveys', 'surveys'],
    ['portal_ads', 'advertisements'],
  ] as const)
    await tx.run(sql`
      delete from ${raw(table)} it where it.retired_from = ${portalId} and not exists (
        select from (select content from portal_versions where portal_id = ${portalId}
          union all select draft from portals where id = ${portalId}) kept
        where jsonb_path_exists(kept.content, ${`$.nested.${list}[*] ? (@.id == $id)`}::jsonpath, jsonb_build_object('id', it.id)))`);
}
