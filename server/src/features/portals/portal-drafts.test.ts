import sql from 'sql-template-tag';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newGuestEachTest, startVenue, type Venue } from '#features/guests/testing/venue.ts';
import type { Body } from '#test/harness.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(async () => {
  for (const { id } of (await get()).redirect_rules) await venue.api.delete(at(`/rules/${id}`), as());
  for (const { id } of (await get()).surveys) await venue.api.delete(at(`/surveys/${id}`), as());
  await venue.api.delete(at('/draft'), as());
  // What is published now is the first version.
  await venue.run(sql`
    delete from portal_versions where portal_id = ${venue.portal.id}
      and number < (select max(number) from portal_versions where portal_id = ${venue.portal.id})`);
  await venue.run(sql`update portal_versions set number = 1, changes = '{}' where portal_id = ${venue.portal.id}`);
});

const at = (more = '') => `panel/portal/${venue.portal.id}${more}`;
const as = (body?: unknown, token = venue.admin) => ({ token, ...(body === undefined ? {} : { body }) });
const get = async (more = ''): Promise<Body> => (await venue.api.get(at(more), as())).body.data;
const title = (text: string) => ({ messages: { welcome_message_title: { en: text } } });
const guestSees = async () => /<h1>([^<]*)/.exec((await venue.captive.get(venue.arrival({ lang: 'en' }))).html)?.[1];
const history = async (): Promise<Body[]> => (await venue.api.get(at('/history'), as())).body.data;

describe('a draft', () => {
  test('appears in the panel and the preview, and for guests after publishing', async () => {
    await venue.api.put(at(), as(title('As it was')));
    const saved = await venue.api.put(at('/draft'), as({ ...title('As it shall be'), color_scheme: 'dark' }));
    expect(saved.status, saved.text).toBe(200);
    expect(saved.body.data).toMatchObject({ has_draft: true, color_scheme: 'dark' });
    // Each tab saves its own part.
    await venue.api.put(at('/draft'), as({ styles: { logo_scale: 30 } }));
    expect(await get('/draft')).toMatchObject({
      messages: { welcome_message_title: { en: 'As it shall be' } },
      styles: { logo_scale: 30 },
    });
    expect(await get()).toMatchObject({ has_draft: true, messages: { welcome_message_title: { en: 'As it was' } } });
    expect(await guestSees()).toBe('As it was');
    const { token } = await get('/preview');
    const preview = await venue.captive.get(`/preview/${venue.portal.id}?tenant=panel&lang=en&token=${token}`);
    expect(preview.html).toContain('As it shall be');

    const done = await venue.api.post(at('/publish'), as());
    expect(done.status, done.text).toBe(200);
    expect(done.body.data).toMatchObject({ has_draft: false, draft_at: null, color_scheme: 'dark' });
    expect(await guestSees()).toBe('As it shall be');
    expect((await venue.api.post(at('/publish'), as())).status).toBe(409);
  });

  test('includes changes that are published meanwhile, so that publishing it does not undo them', async () => {
    await venue.api.put(at('/draft'), as({ styles: { logo_scale: 40 } }));
    await venue.api.put(at(), as(title('Said at once')));
    await venue.api.post(at('/publish'), as());
    expect(await get()).toMatchObject({
      messages: { welcome_message_title: { en: 'Said at once' } },
      styles: { logo_scale: 40 },
    });
  });

  test('is removed when it is edited back to the published content', async () => {
    const providers = ['username', 'sms'].map((slug, i) => ({ slug, order: i + 1, is_active: true }));
    await venue.api.put(at(), as({ ...title('Shown'), providers, agreements: { kvkk: { tr: '<p>Metin</p>' } } }));
    const shown = await get();
    const keep = async (body: unknown) => {
      const answer = await venue.api.put(at('/draft'), as(body));
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data.has_draft;
    };
    // Each change is reverted by naming the default, in another order, or by leaving texts empty.
    for (const [there, back] of [
      [{ styles: { primary_color: '#123456' } }, { styles: { primary_color: shown.styles.primary_color } }],
      [title('Not yet'), title('Shown')],
      [{ messages: { sms_info: { de: 'Neu' } } }, { messages: { sms_info: shown.messages.sms_info } }],
      [
        { providers: [...providers].reverse().map((it, i) => ({ ...it, order: i + 1 })) },
        { providers: shown.providers },
      ],
      [{ agreements: { general: { en: '<p>New</p>' } } }, { agreements: { general: { en: '' } } }],
    ]) {
      expect(await keep(there), JSON.stringify(there)).toBe(true);
      expect(await keep(back), JSON.stringify(back)).toBe(false);
    }
    expect((await venue.api.post(at('/publish'), as())).status).toBe(409);
    // A draft is also removed when the published content becomes equal to it.
    await keep(title('Soon'));
    const { body } = await venue.api.put(at(), as(title('Soon')));
    expect(body.data).toMatchObject({ has_draft: false, draft_at: null });
    await keep(title('Shown'));
    const [, before] = await history();
    expect((await venue.api.post(at(`/history/${before.id}/restore`), as())).body.data.has_draft).toBe(false);
  });

  test('can be discarded, and refuses the same input as publishing', async () => {
    await venue.api.put(at('/draft'), as(title('Never seen')));
    const wrong = await venue.api.put(at('/draft'), as({ styles: { logo_scale: 51 } }));
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['styles.logo_scale']]);
    expect((await venue.api.delete(at('/draft'), as())).status).toBe(204);
    expect((await get('/draft')).has_draft).toBe(false);
    expect(JSON.stringify(await get('/draft'))).not.toContain('Never seen');
    expect((await venue.api.delete(at('/draft'), as())).status).toBe(204);
  });
});

describe('the history', () => {
  test('lists each published version with its author and changes, and restores one', async () => {
    await venue.api.put(at(), as({ name: 'Lobby', ...title('The good one'), color_scheme: 'dark' }));
    const good = (await history())[0];
    await venue.api.put(at(), as({ ...title('The mistake'), color_scheme: 'light' }));
    await venue.api.put(at(), as(title('The mistake')));
    const [mistake, before] = await history();
    expect(mistake).toMatchObject({ current: true, changes: ['styles', 'messages'], number: good.number + 1 });
    expect(mistake.published_by.full_name).toEqual(expect.any(String));
    expect(before).toMatchObject({ id: good.id, current: false });
    const back = await venue.api.post(at(`/history/${good.id}/restore`), as());
    expect(back.status, back.text).toBe(200);
    expect(await guestSees()).toBe('The good one');
    expect((await history())[0]).toMatchObject({ current: true, number: mistake.number + 1 });
    expect((await history()).at(-1)).toMatchObject({ number: 1, changes: [] });
  });

  test('cannot restore a version of another portal', async () => {
    const other = await venue.create('panel/portal', { name: 'Other', location_id: venue.location });
    const [version] = (await venue.api.get(`panel/portal/${other.id}/history`, as())).body.data;
    expect((await venue.api.post(at(`/history/${version.id}/restore`), as())).status).toBe(404);
  });

  test('keeps the latest hundred versions', async () => {
    await venue.run(sql`insert into portal_versions (id, portal_id, number, name, content)
      select gen_random_uuid(), ${venue.portal.id}::uuid, n + (select max(number) from portal_versions where portal_id = ${venue.portal.id}), 'Lobby', '{}'
      from generate_series(1, 103) n`);
    await venue.api.put(at(), as(title('The latest')));
    const { body } = await venue.api.get(at('/history?per_page=1000'), as());
    expect(body.meta.total).toBe(100);
    expect(body.data[0].current).toBe(true);
  });
});

describe('a copy of a portal', () => {
  test('has the same content, advertisements, surveys and rules, and is independent of the original', async () => {
    await venue.api.put(at(), as({ ...title('Copied'), styles: { logo_scale: 60 } }));
    const ad = { name: 'Ad', type: 'embed', embed_code: '<iframe src="https://example.com/"></iframe>' };
    await venue.create(at('/ads'), ad);
    const survey = await venue.create(at('/surveys'), { name: 'How was it?', questions: [{ label: { en: 'Well?' } }] });
    const rule = { state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id };
    await venue.create(at('/rules'), rule);
    const copy = await venue.create(at('/duplicate'), { name: 'Lobby, again' });
    expect(copy).toMatchObject({
      name: 'Lobby, again',
      location_id: venue.location,
      used_by: 0,
      has_draft: false,
      styles: { logo_scale: 60 },
      messages: { welcome_message_title: { en: 'Copied' } },
      advertisements: [{ name: 'Ad' }],
      surveys: [{ name: 'How was it?' }],
    });
    expect(copy.surveys[0].id).not.toBe(survey.id);
    expect(copy.redirect_rules).toMatchObject([{ state: 'before_login', survey_id: copy.surveys[0].id }]);
    await venue.api.delete(`panel/portal/${copy.id}`, as());
    expect((await get()).surveys).toHaveLength(1);
    const nameless = await venue.api.post(at('/duplicate'), as({}));
    expect([nameless.status, Object.keys(nameless.body.errors)]).toEqual([422, ['name']]);
  });
});

test('a portal offers guests only the methods that their location may use', async () => {
  const methods = async () => {
    const { html } = await venue.captive.get(venue.arrival());
    const found = html.matchAll(/name="method" value="([^"]+)"|value="([a-z-]{3,})" name="go"/g);
    return [...found].map(it => it[1] ?? it[2]).filter(it => it !== 'kvkk' && it !== 'general');
  };
  const providers = ['username', 'temp'].map((slug, i) => ({ slug, order: i + 1, is_active: true }));
  await venue.api.put(at(), as({ providers }));
  expect(await methods()).toEqual(['username', 'temp']);
  await venue.update(`panel/location/${venue.location}`, { name: 'Kafe', available_providers: ['temp', 'sms'] });
  expect(await methods()).toEqual(['temp']);
  await venue.update(`panel/location/${venue.location}`, { name: 'Kafe', available_providers: [] });
  expect(await methods()).toEqual(['username', 'temp']);
});

describe('a survey with an empty question', () => {
  const said = { label: { tr: 'Soru' }, answers: [{ label: { de: 'Antwort' } }] };
  const faces = (emoji: string | null, label = {}) => ({
    label: { en: 'How was it?' },
    answer_type: 'emoji',
    answers: [{ emoji: 'good' }, { emoji, label }],
  });
  const surveys = [
    ['questions.1.label', [said, { label: {} }]],
    ['questions.0.label', [{ label: { tr: ' ', en: '' } }]],
    ['questions.0.answers.1.emoji', [faces(null)]],
    ['questions.0.answers', [{ ...faces(null), answers: [] }]],
    ['questions.0.answers.0.label', [{ ...said, answers: [{ emoji: 'good', label: {} }] }]],
  ] as const;

  test.each(surveys)('is refused at %s when it would be published at once', async (field, questions) => {
    const { id } = (await venue.api.post(at('/surveys'), as({ name: 'Anket', questions: [said] }))).body.data;
    for (const answer of [
      await venue.api.post(at('/surveys'), as({ name: 'Boş', questions })),
      await venue.api.put(at(`/surveys/${id}`), as({ name: 'Boş', questions })),
    ]) {
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
      expect(answer.body.errors[field]).toEqual(['This field is required.']);
    }
    expect((await venue.api.get(at('/surveys'), as())).body.data.some((it: Body) => it.name === 'Boş')).toBe(false);
    expect((await venue.api.put(at(`/surveys/${id}`), as({ name: 'Yeni ad' }))).status).toBe(200);
    await venue.api.delete(at(`/surveys/${id}`), as());
  });

  test.each(surveys)('is allowed in a draft but cannot be published: %s', async (field, questions) => {
    const kept = await venue.api.put(at('/draft'), as({ surveys: [{ name: 'Yarım', questions }] }));
    expect(kept.status, kept.text).toBe(200);
    const refused = await venue.api.post(at('/publish'), { ...as(), language: 'tr' });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [`surveys.0.${field}`]]);
    expect(refused.body.errors[`surveys.0.${field}`][0]).toMatch(/^“Yarım” anketinin \d\. sorusu tamamlanmamış/);
    expect((await get('/draft')).surveys).toHaveLength(1);
    const done = { surveys: [{ name: 'Yarım', questions: [said, faces('bad'), faces(null, { en: 'Fine' })] }] };
    await venue.api.put(at('/draft'), as(done));
    expect((await venue.api.post(at('/publish'), as())).status).toBe(200);
  });
});
