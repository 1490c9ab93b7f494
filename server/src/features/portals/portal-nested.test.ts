import sql from 'sql-template-tag';
import { beforeAll, describe, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, stateOf, type Venue } from '#features/guests/testing/venue.ts';
import type { Body } from '#test/harness.ts';

/** Surveys, rules and advertisements in drafts and in the history. */

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);

const at = (more = '') => `panel/portal/${venue.portal.id}${more}`;
const as = (body?: unknown, token = venue.admin) => ({ token, ...(body === undefined ? {} : { body }) });
const get = async (more = ''): Promise<Body> => (await venue.api.get(at(more), as())).body.data;
const keep = (body: object) => venue.api.put(at('/draft'), as(body));
const publish = async () => {
  const done = await venue.api.post(at('/publish'), as());
  expect(done.status, done.text).toBe(200);
};
const history = async (): Promise<Body[]> => (await venue.api.get(at('/history'), as())).body.data;
const goBack = async (id: string) => {
  const back = await venue.api.post(at(`/history/${id}/restore`), as());
  expect(back.status, back.text).toBe(200);
};
const guest = async () => (await venue.captive.get(venue.arrival({ lang: 'en' }))).html;

/** Adds a hundred versions without nested items, so that earlier ones are deleted. */
const manyVersions = (it: Venue, portalId: string) =>
  it.run(sql`insert into portal_versions (id, portal_id, number, name, content)
    select gen_random_uuid(), ${portalId}::uuid, n + (select max(number) from portal_versions where portal_id = ${portalId}), 'Lobby', '{}'
    from generate_series(1, 100) n`);

const survey = (name: string, en: string) => ({ name, questions: [{ label: { en }, answers: [] }] });
const leadTo = (survey_id: string) => ({ state: 'before_login', action: 'redirect_to_survey', survey_id });
const embed = '<iframe src="https://example.com/"></iframe>';

/** Creates a portal for one test and shows it at the venue, with the API calls that publish at once. */
async function startOver(): Promise<{ survey: Body; rule: Body; ad: Body }> {
  const portal = await venue.create('panel/portal', { name: 'Lobby', location_id: venue.location });
  await venue.update(`panel/location/${venue.location}`, { name: 'Kafe', portal_id: portal.id });
  venue.portal.id = portal.id;
  const asked = await venue.create(at('/surveys'), survey('Stay', 'How was it?'));
  const rule = await venue.create(at('/rules'), leadTo(asked.id));
  const ad = await venue.create(at('/ads'), { name: 'Tea', type: 'embed', embed_code: embed });
  return { survey: asked, rule, ad };
}

describe('a draft', () => {
  test('holds surveys, rules and advertisements, which guests see after publishing', async () => {
    const old = await startOver();
    const first = await keep({
      surveys: [{ ...old.survey, name: 'Renamed' }, survey('New', 'And the tea?')],
      advertisements: [
        {
          name: 'Cake',
          type: 'embed',
          embed_code: `<script>1</script>${embed}`,
          starts_on: '2026-12-01',
          weekdays: [6],
        },
      ],
    });
    expect(first.status, first.text).toBe(200);
    const { surveys, advertisements, redirect_rules, has_draft } = first.body.data;
    expect(has_draft).toBe(true);
    expect(surveys.map((it: Body) => [it.id === old.survey.id, it.name])).toEqual([
      [true, 'Renamed'],
      [false, 'New'],
    ]);
    expect(advertisements).toMatchObject([{ name: 'Cake', embed_code: embed }]);
    expect(redirect_rules).toMatchObject([{ id: old.rule.id, survey_id: old.survey.id }]);
    const fresh = surveys[1].id;
    expect((await keep({ redirect_rules: [leadTo(fresh), redirect_rules[0]] })).status).toBe(200);

    expect(await guest()).toContain('How was it?');
    expect((await get()).surveys).toMatchObject([{ name: 'Stay' }]);
    expect((await venue.api.get(at(`/surveys/${fresh}/results`), as())).status).toBe(404);
    await publish();
    expect(await guest()).toContain('And the tea?');
    const now = await get();
    expect(now.redirect_rules).toMatchObject([
      { order: 1, survey_id: fresh },
      { order: 2, id: old.rule.id },
    ]);
    expect(now.advertisements).toMatchObject([{ name: 'Cake', starts_on: '2026-12-01', weekdays: [6], weight: 1 }]);
    expect((await venue.api.get(at(`/surveys/${fresh}/results`), as())).status).toBe(200);
    expect((await history())[0].changes).toEqual(['surveys', 'rules', 'advertisements']);
    const [entry] = (await venue.api.get('panel/audit?per_page=1', as())).body.data;
    expect(Object.keys(entry.after).sort()).toEqual(['advertisements', 'redirect_rules', 'surveys']);
  });

  test('includes direct changes made meanwhile, and is removed when nothing differs any more', async () => {
    const old = await startOver();
    await keep({ surveys: [old.survey, survey('Later', 'Later?')] });
    await venue.update(at(`/surveys/${old.survey.id}`), survey('Said at once', 'Changed?'));
    const more = await venue.create(at('/ads'), { name: 'At once', type: 'embed', embed_code: embed });
    const draft = await get('/draft');
    expect(draft.surveys.map((it: Body) => it.name)).toEqual(['Said at once', 'Later']);
    expect(draft.advertisements.map((it: Body) => it.id)).toContain(more.id);
    await venue.api.delete(at(`/surveys/${old.survey.id}`), as());
    expect(await get('/draft')).toMatchObject({ surveys: [{ name: 'Later' }], redirect_rules: [], has_draft: true });
    expect((await keep({ surveys: [] })).body.data.has_draft).toBe(false);
  });

  test('removes the rules of a survey that it omits, and refuses a rule to an unknown survey', async () => {
    const old = await startOver();
    expect((await keep({ surveys: [] })).body.data.redirect_rules).toEqual([]);
    const refusals = [
      [{ redirect_rules: [leadTo(old.survey.id)] }, 'redirect_rules.0.survey_id'],
      [{ surveys: [{ name: '', questions: [] }] }, 'surveys.0.name'],
      [
        { advertisements: [{ name: 'A', type: 'embed', embed_code: '<script>1</script>' }] },
        'advertisements.0.embed_code',
      ],
      [
        { advertisements: [{ name: 'A', type: 'image', images: ['https://example.com/a.webp'] }] },
        'advertisements.0.images',
      ],
      [{ surveys: Array.from({ length: 101 }, () => survey('A', 'B?')) }, 'surveys'],
    ] as const;
    for (const [body, field] of refusals) {
      const answer = await keep(body);
      expect([answer.status, Object.keys(answer.body.errors ?? {})], answer.text).toEqual([422, [field]]);
    }
    expect((await get('/draft')).surveys).toEqual([]);
  });

  test('replaces ids of another portal and repeated ids', async () => {
    const foreign = await startOver();
    const old = await startOver();
    const { body } = await keep({
      surveys: [{ ...foreign.survey, name: 'Stolen' }, old.survey, old.survey],
      advertisements: [{ ...foreign.ad, name: 'Stolen' }],
    });
    const ids = body.data.surveys.map((it: Body) => it.id);
    expect(ids).not.toContain(foreign.survey.id);
    expect(new Set(ids).size).toBe(3);
    await publish();
    expect((await get()).surveys.map((it: Body) => it.name).sort()).toEqual(['Stay', 'Stay', 'Stolen']);
  });
});

describe('the history', () => {
  test('restores surveys with their answers, and rules and advertisements with their counts', async () => {
    const old = await startOver();
    const [good] = await history();
    const page = await guest();
    const name = /name="(q-[a-z0-9]+)"/.exec(page)![1]!;
    await venue.captive.form(`/w/${venue.nas}/survey`, { state: stateOf(page), [name]: 'Lovely' });
    const answered = async (id: string) => (await get(`/surveys/${id}/results`)).answered;
    expect(await answered(old.survey.id)).toBe(1);

    await keep({ surveys: [survey('Other', 'Other?')], redirect_rules: [], advertisements: [] });
    await publish();
    const gone = await venue.api.get(at(`/surveys/${old.survey.id}/results`), as());
    expect(gone.status).toBe(404);
    expect((await get()).advertisements).toEqual([]);
    await goBack(good!.id);
    expect(await get()).toMatchObject({
      surveys: [{ id: old.survey.id, name: 'Stay' }],
      redirect_rules: [{ id: old.rule.id, survey_id: old.survey.id }],
      advertisements: [{ id: old.ad.id }],
    });
    expect(await answered(old.survey.id)).toBe(1);
    venue.newMac();
    expect(await guest()).toContain('How was it?');
  });

  test('restores deleted surveys without their answers', async () => {
    const old = await startOver();
    const [good] = await history();
    await venue.api.delete(at(`/surveys/${old.survey.id}`), as());
    await goBack(good!.id);
    expect(await get()).toMatchObject({ surveys: [{ id: old.survey.id }], redirect_rules: [{ id: old.rule.id }] });
  });

  test('combines consecutive changes of rules into one version', async () => {
    const { rule } = await startOver();
    const url = { state: 'login_failed', action: 'redirect_to_url', url: 'https://example.com/' };
    const before = await history();
    const other = await venue.create(at('/rules'), url);
    await venue.update(at(`/rules/${other.id}`), { ...url, order: 1 });
    await venue.update(at(`/rules/${rule.id}`), { ...leadTo(rule.survey_id), order: 2 });
    const after = await history();
    expect(after.length - before.length).toBe(1);
    expect(after[0]).toMatchObject({ changes: ['rules'], current: true });
  });

  test('deletes removed items once no version refers to them', async () => {
    const old = await startOver();
    await keep({ surveys: [], advertisements: [] });
    await publish();
    const change = (en: string) => venue.api.put(at(), as({ messages: { sms_info: { en } } }));
    await change('Still in the history');
    const there = sql`select id from portal_surveys where id = ${old.survey.id}`;
    expect(await venue.rows(there)).toHaveLength(1);
    await manyVersions(venue, venue.portal.id);
    await change('The hundred before this do not name it');
    const left = await venue.rows(
      sql`select id from portal_surveys where id = ${old.survey.id} union all select id from portal_ads where id = ${old.ad.id}`,
    );
    expect(left).toEqual([]);
  });
});
