import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { integrationJobs } from '#features/integrations/integrations.jobs.ts';
import { startReceiver } from '#features/integrations/testing/receiver.ts';
import type { Body } from '#test/harness.ts';
import { guestJobs } from '../guests.jobs.ts';
import { stateOf } from '../testing/venue.ts';
import { ids, startSurveys } from './testing/asking.ts';

const { venue, portal, makeSurvey, clearRules, only, surveyAt, results } = await startSurveys();

describe('a survey before the sign-in', () => {
  test('is shown once, works without script, is counted, and the operator sees the answers', async () => {
    const survey = await makeSurvey();
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const { all, face, like, text } = ids(survey);
    const page = await venue.captive.get(venue.arrival());
    expect(page.html).toContain('Were you pleased?');
    expect(page.html).not.toContain('name="username"');
    // There is no German text: the portal's first language is used, not the first one in the database.
    const inGerman = async () => (await venue.captive.get(venue.arrival({ lang: 'de' }))).html;
    expect(await inGerman()).toContain('Were you pleased?');
    const offer = (languages: string[]) => venue.update(`panel/portal/${venue.portal.id}`, { page: { languages } });
    await offer(['tr', 'en', 'de', 'ru', 'ar']);
    expect(await inGerman()).toContain('Memnun kaldınız mı?');
    await offer(['en', 'tr', 'de', 'ru', 'ar']);
    const answer = await venue.captive.form(surveyAt(), { state: stateOf(page.html), lang: 'en', ...all });
    expect(answer.status).toBe(303);
    const next = await venue.captive.get(answer.headers.get('location')!);
    expect(next.html).toContain('name="username"');
    expect((await venue.captive.get(venue.arrival())).html).toContain('name="username"');

    venue.newMac();
    const other = await venue.captive.get(venue.arrival());
    expect(other.html).toContain('Were you pleased?');
    await venue.captive.form(surveyAt(), { state: stateOf(other.html), skip: '1', ...all });
    expect((await venue.captive.get(venue.arrival())).html).toContain('name="username"');

    const counted = await results(survey);
    expect(counted).toMatchObject({ shown: 4, answered: 1, skipped: 1 });
    expect(counted.days).toHaveLength(30);
    expect(counted.days.at(-1)).toMatchObject({ shown: 4, answered: 1 });
    expect(counted.questions.map((q: Body) => [q.answered, q.answers.map((a: Body) => a.count)])).toEqual([
      [1, [0, 1]],
      [1, [1, 0]],
      [1, []],
    ]);
    const at = `${portal}/surveys/${survey.id}`;
    const texts = await venue.api.get(`${at}/texts?question=${text.id}`, { token: venue.admin });
    expect(texts.body.data).toMatchObject([{ text: '=SUM(A1) & <b>çay</b>', language: 'en' }]);
    expect((await venue.api.get(`${at}/texts?question=${like.id}`, { token: venue.admin })).body.meta.total).toBe(0);
    expect((await venue.api.get(`${at}/texts?question=$$`, { token: venue.admin })).status).toBe(422);
    const file = await venue.api.get(`${at}/export`, { token: venue.admin });
    expect(file.text).toContain("Good,Tea,'=SUM(A1) & <b>çay</b>\r\n");
    const turkish = { 'accept-language': 'tr' };
    const translated = await venue.api.get(`${at}/export`, { token: venue.admin, headers: turkish });
    expect(translated.text).toContain(",İyi,Tea,'=SUM(A1)");
    const lines = file.text.split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+03,/);
    expect(face.id).toMatch(/^[a-z0-9]{8}$/);
  });

  test('is not counted, and no redirect is used up, by a prefetch or a request for the headers', async () => {
    const survey = await makeSurvey();
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const unseen = [{ method: 'HEAD' }, { headers: { 'sec-purpose': 'prefetch' } }];
    for (const how of unseen) expect((await venue.captive.ask(venue.arrival(), how)).status).toBe(200);
    expect(await results(survey)).toMatchObject({ shown: 0 });
    await venue.captive.get(venue.arrival());
    expect(await results(survey)).toMatchObject({ shown: 1 });

    const url = 'https://example.com/first';
    await only({ state: 'before_login', action: 'redirect_to_url', url });
    const to = async (how = {}) => (await venue.captive.ask(venue.arrival(), how)).headers.get('location');
    for (const how of unseen) expect(await to(how)).toBe(url);
    expect([await to(), await to(), await to(unseen[0])]).toEqual([url, null, null]);
  });

  test('takes several long texts in letters of nine bytes', async () => {
    const made = { label: { en: 'Why?' }, answer_type: 'text', type: 'single', answers: [] };
    const body = { name: 'Long', questions: [made, made, made] };
    const survey = await venue.create(`${portal}/surveys`, body);
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const page = await venue.captive.get(venue.arrival());
    const text = '茶'.repeat(1000);
    const answers = Object.fromEntries(survey.questions.map((it: Body) => [`q-${it.id}`, text]));
    const answer = await venue.captive.form(surveyAt(), { state: stateOf(page.html), lang: 'ar', ...answers });
    expect(answer.status).toBe(303);
    const at = `${portal}/surveys/${survey.id}/texts?question=${survey.questions[2].id}`;
    expect((await venue.api.get(at, { token: venue.admin })).body.data).toMatchObject([{ text }]);
  });

  test('triggers a webhook when answered, whose payload is deleted with the answer', async () => {
    const receiver = await startReceiver();
    const connection = { type: 'webhook', url: receiver.url, events: ['survey.answered'] };
    const made = await venue.create('panel/integration', {
      name: 'CRM',
      location_id: venue.location,
      integration_id: 'webhook',
      params: { connection },
    });
    const survey = await makeSurvey('Webhook');
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const page = await venue.captive.get(venue.arrival());
    await venue.captive.form(surveyAt(), { state: stateOf(page.html), lang: 'en', ...ids(survey).all });
    venue.newMac();
    const other = await venue.captive.get(venue.arrival());
    await venue.captive.form(surveyAt(), { state: stateOf(other.html), skip: '1' });
    await integrationJobs.find(it => it.name === 'webhooks')!.run(venue.api.app);
    const [payload, ...more] = receiver.requests.map(it => JSON.parse(it.body));
    expect(more, 'a skipped survey has no answer').toEqual([]);
    expect(payload).toMatchObject({
      type: 'survey.answered',
      data: { survey_id: survey.id, location_id: venue.location, language: 'en' },
    });
    expect(Object.values(payload.data.answers)).toContainEqual('=SUM(A1) & <b>çay</b>');
    const at = `panel/integration/${made.id}`;
    const sent = async () => (await venue.api.get(`${at}/deliveries`, { token: venue.admin })).body.data as Body[];
    expect((await sent()).map(it => [it.event, it.state])).toEqual([['survey.answered', 'delivered']]);
    await clearRules();
    await venue.api.delete(`${portal}/surveys/${survey.id}`, { token: venue.admin });
    expect(await sent()).toEqual([]);
    await venue.api.delete(at, { token: venue.admin });
  });

  test('ignores repeated answers, unknown questions and other locations’ surveys', async () => {
    const survey = await makeSurvey('Once');
    const { all, good, face, text } = ids(survey);
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    const post = (fields: Record<string, string>, at = surveyAt()) => venue.captive.form(at, { state, ...fields });
    const both = await Promise.all([post(good), post(good), post(all)]);
    expect(both.map(it => it.status)).toEqual([303, 303, 303]);
    expect((await results(survey)).answered).toBe(1);

    venue.newMac();
    const junk = stateOf((await venue.captive.get(venue.arrival())).html);
    const long = 'x'.repeat(5000);
    await venue.captive.form(surveyAt(), {
      state: junk,
      [`q-${face.id}`]: 'nothing',
      'q-__proto__': 'x',
      'q-unknown': 'y',
      [`q-${text.id}`]: long,
    });
    const after = await results(survey);
    expect(after.questions[0].answered).toBe(1);
    const [response] = await venue.rows<{ answers: Body }>(
      sql`select answers from survey_responses where survey_id = ${survey.id} order by id desc limit 1`,
    );
    expect(response!.answers).toEqual({ [text.id]: 'x'.repeat(1000) });

    expect((await venue.captive.form(surveyAt(), { state: `${state}x`, ...good })).status).toBe(400);
    expect((await venue.captive.form(surveyAt(), good)).status).toBe(400);
    expect((await post(good, '/w/nosuchrouter1/survey')).status).toBe(400);
    expect((await post({ ...good, [`q-${text.id}`]: 'a\0b' })).status).toBe(400);
    const signIn = await venue.captive.get(venue.arrival());
    expect((await venue.captive.form(surveyAt(), { state: stateOf(signIn.html), ...good })).status).toBe(400);
  });

  test('that was deleted or belongs to another portal takes no answers and blocks no guest', async () => {
    const survey = await makeSurvey('Gone');
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    const other = await venue.create('panel/portal', { name: 'Other', location_id: venue.location });
    await venue.run(sql`update locations set portal_id = ${other.id} where id = ${venue.location}`);
    expect((await venue.captive.form(surveyAt(), { state, ...ids(survey).good })).status).toBe(303);
    await venue.run(sql`update locations set portal_id = ${venue.portal.id} where id = ${venue.location}`);
    expect((await results(survey)).answered).toBe(0);
    await venue.api.delete(`${portal}/surveys/${survey.id}`, { token: venue.admin });
    expect((await venue.captive.form(surveyAt(), { state, ...ids(survey).good })).status).toBe(303);
    expect((await venue.captive.get(venue.arrival())).html).toContain('name="username"');
  });

  test('stores at most 300 answers per hour and address, and blocks no guest', async () => {
    const survey = await makeSurvey('Stuffed');
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const answer = async () => {
      venue.newMac();
      const page = await venue.captive.get(venue.arrival());
      return venue.captive.form(surveyAt(), { state: stateOf(page.html), lang: 'en', ...ids(survey).good });
    };
    const stored = await answer();
    expect(stored.headers.get('location')).not.toContain('step=');
    const more = sql`insert into survey_responses (id, survey_id, location_id, device_id, client_mac, language, address_hash)
      select gen_random_uuid(), survey_id, location_id, device_id, parse_mac('02:00:00:00:' || to_char(n / 100, 'FM00') || ':' || to_char(n % 100, 'FM00')),
        language, address_hash from survey_responses, generate_series(1, 298) n where survey_id = ${survey.id}`;
    await venue.run(more);
    const [last, over] = [await answer(), await answer()];
    expect((await results(survey)).answered).toBe(2);
    expect([last.status, over.status]).toEqual([303, 200]);
    expect(over.html, 'the registry is not asked again').toContain('name="username"');
    await venue.run(
      sql`update survey_responses set created_at = now() - interval '61 minutes' where survey_id = ${survey.id}`,
    );
    await answer();
    expect((await results(survey)).answered).toBe(3);
    const addresses = async (hours: number) => {
      await venue.run(sql`update survey_responses set created_at = now() - make_interval(hours => ${hours})
        where survey_id = ${survey.id}`);
      await guestJobs[0]!.run(venue.api.app);
      const known = sql`select from survey_responses where survey_id = ${survey.id} and address_hash is not null`;
      return (await venue.rows(known)).length > 0;
    };
    expect([await addresses(23), await addresses(25)], 'the addresses are known for a day').toEqual([true, false]);
  });

  test('of another tenant is neither shown nor answered', async () => {
    const survey = await makeSurvey('Ours');
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const state = stateOf((await venue.captive.get(venue.arrival())).html);
    const { token } = await venue.api.user('tenant-admin', { tenant: 'neighbour' });
    const theirs = { token, tenant: 'neighbour' };
    const made = async (at: string, body: object) => {
      const answer = await venue.api.post(at, { ...theirs, body });
      expect(answer.status, answer.text).toBe(201);
      return answer.body.data;
    };
    const place = await made('panel/location', { name: 'Theirs' });
    const board = await made('panel/portal', { name: 'Theirs', location_id: place.id });
    const brands = (await venue.api.get('panel/device/brands', theirs)).body.data;
    const brand_id = brands.find((it: Body) => it.slug === 'mikrotik').id;
    const router = { name: 'R', brand_id, mac_address: '02:00:00:00:99:01', location_id: place.id };
    const device = await made('panel/device', router);
    // Our signed state at their router, and their rule with our survey.
    const { nas_identifier: nas } = (await venue.api.get(`panel/device/${device.id}`, theirs)).body.data;
    expect(nas).toMatch(/^[a-z0-9]{8,16}$/);
    const stolen = await venue.captive.form(`/w/${nas}/survey`, { state, ...ids(survey).good });
    expect(stolen.status).toBe(400);
    const body = { state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id };
    expect((await venue.api.post(`panel/portal/${board.id}/rules`, { ...theirs, body })).status).toBe(422);
    expect((await venue.captive.get(venue.arrival({}, nas))).html).not.toContain('Were you pleased?');
    expect((await venue.api.get(`${portal}/surveys/${survey.id}/results`, theirs)).status).toBe(404);
    expect((await results(survey)).answered).toBe(0);
  });

  test('is visible only to users of the location', async () => {
    const survey = await makeSurvey('Mine');
    const stranger = await venue.api.user('tenant-admin', { tenant: 'elsewhere' });
    const elsewhere = await venue.create('panel/location', { name: 'Elsewhere' });
    const neighbour = await venue.api.user('member', { location: elsewhere.id });
    for (const what of ['results', 'export', 'texts?question=q1']) {
      const at = `${portal}/surveys/${survey.id}/${what}`;
      expect((await venue.api.get(at, { token: stranger.token, tenant: 'elsewhere' })).status).toBe(404);
      expect((await venue.api.get(at, { token: neighbour.token })).status).toBe(404);
      expect((await venue.api.get(at)).status).toBe(401);
    }
  });
});

describe('a question from 0 to 10', () => {
  const labels = (i: number) => Object.fromEntries(['tr', 'en', 'de'].map(it => [it, String(i)]));
  const scale = Array.from({ length: 11 }, (_, i) => ({ label: labels(i) }));
  const make = async (answers: object[] = scale) => {
    const body = { name: 'NPS', questions: [{ label: { en: 'Would you recommend us?' }, answers }] };
    const survey = await venue.create(`${portal}/surveys`, body);
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    return survey;
  };
  const score = async (survey: Body, points: number) => {
    venue.newMac();
    const { html } = await venue.captive.get(venue.arrival({ lang: 'en' }));
    const [question] = survey['questions'];
    const chosen = { [`q-${question.id}`]: question.answers[points].id };
    await venue.captive.form(surveyAt(), { state: stateOf(html), lang: 'en', ...chosen });
    return html;
  };

  test('is a row of numbers for guests, and its result is a net promoter score over time', async () => {
    const survey = await make();
    const html = await score(survey, 10);
    expect(html.match(/type="radio"/g)).toHaveLength(11);
    expect(html).toMatch(/Not at all.*Absolutely.*class="faces scale"/s);
    for (const points of [9, 8, 7, 6, 0]) await score(survey, points);
    const {
      questions: [question],
      weeks,
      days,
    } = await results(survey);
    expect(question.nps).toMatchObject({ promoters: 2, passives: 2, detractors: 2, score: 0 });
    expect(question.nps.weeks).toHaveLength(26);
    expect(question.nps.weeks.at(-1)).toMatchObject({ promoters: 2, passives: 2, detractors: 2, score: 0 });
    expect(question.nps.weeks[0]).toMatchObject({ promoters: 0, passives: 0, detractors: 0, score: null });
    expect([weeks.length, days.length]).toEqual([26, 30]);
    expect(weeks.at(-1)).toMatchObject({ shown: 6, answered: 6 });
    expect(new Date(weeks.at(-1).week).getUTCDay()).toBe(1);
    await score(survey, 10);
    expect((await results(survey)).questions[0].nps).toMatchObject({ promoters: 3, score: 14 });
    // An earlier week is a week of its own.
    await venue.run(sql`update survey_scores set day = day - 7 where survey_id = ${survey.id}`);
    await score(survey, 3);
    const { nps } = (await results(survey)).questions[0];
    expect(nps.weeks.slice(-2).map((it: Body) => it['score'])).toEqual([14, -100]);
    expect(nps).toMatchObject({ promoters: 3, passives: 2, detractors: 3, score: 0 });
  });

  test('is one only with the answers 0 to 10 in every language', async () => {
    for (const answers of [
      scale.slice(1),
      [...scale].reverse(),
      scale.map((it, i) => (i === 10 ? { label: { ...it.label, en: 'Ten' } } : it)),
    ]) {
      const survey = await make(answers);
      expect(await score(survey, 1)).not.toContain('faces scale');
      expect((await results(survey)).questions[0].nps).toBeNull();
    }
  });
});

describe('written answers', () => {
  test('can be read by language', async () => {
    const survey = await makeSurvey('Languages');
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const { text } = ids(survey);
    for (const [lang, words] of [
      ['de', 'Schön'],
      ['tr', 'Güzel'],
      ['de', 'Laut'],
    ] as const) {
      venue.newMac();
      const { html } = await venue.captive.get(venue.arrival({ lang }));
      await venue.captive.form(surveyAt(), { state: stateOf(html), lang, [`q-${text.id}`]: words });
    }
    const read = (more: string) =>
      venue.api.get(`${portal}/surveys/${survey.id}/texts?question=${text.id}${more}`, { token: venue.admin });
    const german = await read('&language=de');
    expect(german.body.data.map((it: Body) => it['text'])).toEqual(['Laut', 'Schön']);
    expect(german.body.meta.total).toBe(2);
    expect((await read('&language=ru')).body.data).toEqual([]);
    expect((await read('')).body.meta.total).toBe(3);
    const bad = await read('&language=xx');
    expect([bad.status, Object.keys(bad.body.errors)]).toEqual([422, ['language']]);
  });

  test('of more guests than are read at once are all in the file, each once', async () => {
    const survey = await makeSurvey('Many');
    const { text } = ids(survey);
    const guests = 1201;
    await venue.run(sql`
      insert into survey_responses (id, survey_id, location_id, device_id, client_mac, language, answers)
      select new_id(), ${survey.id}, ${venue.location}, ${venue.device.id}, lpad(to_hex(g), 12, '0')::macaddr, 'en',
        jsonb_build_object(${text.id}::text, 'answer ' || g)
      from generate_series(1, ${guests}::int) g`);
    const file = await venue.api.get(`${portal}/surveys/${survey.id}/export`, { token: venue.admin });
    const given = file.text.match(/answer \d+/g) ?? [];
    expect([given.length, new Set(given).size]).toEqual([guests, guests]);
  });
});
