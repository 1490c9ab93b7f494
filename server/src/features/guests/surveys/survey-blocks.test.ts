import { describe, expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { comeOnline } from '../testing/come-online.ts';
import { stateOf } from '../testing/venue.ts';
import { ids, startSurveys } from './testing/asking.ts';

const { venue, portal, makeSurvey, surveyAt, results } = await startSurveys();

describe('a survey in a block of the connected page', () => {
  const offer = (...blocks: object[]) =>
    venue.api.put(portal, { token: venue.admin, body: { page: { connected_blocks: blocks } } });
  const block = (survey_id: string) => ({ kind: 'survey', label: { en: 'Tell us' }, survey_id });
  const buttonOf = (html: string) => /href="([^"]*)"[^>]*><bdi>Tell us/.exec(html)?.[1]?.replaceAll('&amp;', '&');

  test('can be answered until the guest has done so', async () => {
    const survey = await makeSurvey('Block');
    expect((await offer(block(survey.id))).status).toBe(200);
    const [path, browser] = await comeOnline(venue);
    const button = buttonOf((await venue.captive.get(`${path}&lang=en`, browser)).html)!;
    expect(button).toBe(`/w/${venue.nas}/survey/${survey.id}?lang=en`);
    const page = await venue.captive.get(button, browser);
    expect(page.html).toContain('Were you pleased?');
    const german = await venue.captive.get(button.replace('lang=en', 'lang=de'), browser);
    expect(german.html).toContain('Ihre Meinung zählt');
    const answer = await venue.captive.form(surveyAt(), { state: stateOf(page.html), lang: 'en', ...ids(survey).good });
    const next = await venue.captive.get(answer.headers.get('location')!, browser);
    expect(next.html).toContain('You are connected');
    expect(buttonOf(next.html)).toBeUndefined();
    expect((await venue.captive.get(button, browser)).status).toBe(303);
    expect(await results(survey)).toMatchObject({ answered: 1, questions: [{ answered: 1 }, {}, {}] });
  });

  test('is shown only to a guest who is online, and only while the block is shown', async () => {
    const survey = await makeSurvey('Closed');
    const other = await makeSurvey('Not offered');
    await offer(block(survey.id));
    const [path, browser] = await comeOnline(venue);
    const at = (id: string) => `${surveyAt()}/${id}?lang=en`;
    expect((await venue.captive.get(at(survey.id))).status, 'without the cookie').toBe(303);
    for (const id of [other.id, 'x', crypto.randomUUID()])
      expect((await venue.captive.get(at(id), browser)).status, id).toBe(303);
    await offer({ ...block(survey.id), ends_on: '2020-01-01' });
    expect(buttonOf((await venue.captive.get(`${path}&lang=en`, browser)).html)).toBeUndefined();
    expect((await venue.captive.get(at(survey.id), browser)).status).toBe(303);
  });

  test('has no button while its survey has no questions', async () => {
    const survey = await venue.create(`${portal}/surveys`, { name: 'Empty', questions: [] });
    const asked = await makeSurvey('Emptied later');
    await offer(block(survey.id), { ...block(asked.id), label: { en: 'Tell me' } });
    const [path, browser] = await comeOnline(venue);
    const page = async () => (await venue.captive.get(`${path}&lang=en`, browser)).html;
    expect(await page()).toContain('Tell me');
    expect(buttonOf(await page())).toBeUndefined();
    await venue.update(`${portal}/surveys/${asked.id}`, { questions: [] });
    expect(await page()).not.toContain('Tell me');
  });

  test('counts for each account once, also from two devices that show it at the same time', async () => {
    const survey = await makeSurvey('Shared');
    await offer(block(survey.id));
    const username = await venue.visitor({ shared_user: 5 });
    const states: string[] = [];
    for (const _ of [1, 2, 3]) {
      venue.newMac();
      const [, browser] = await comeOnline(venue, username);
      states.push(stateOf((await venue.captive.get(`${surveyAt()}/${survey.id}?lang=en`, browser)).html));
    }
    const send = (state: string | undefined) =>
      venue.captive.form(surveyAt(), { state: state!, lang: 'en', ...ids(survey).good });
    const answers = await Promise.all([send(states[0]), send(states[1])]);
    expect(answers.map(it => it.status)).toEqual([303, 303]);
    expect((await send(states[2])).status).toBe(303);
    expect(await results(survey)).toMatchObject({ answered: 1, skipped: 0, questions: [{ answered: 1 }, {}, {}] });
  });

  test('must be a survey of the portal, and belongs on the connected page', async () => {
    const unknown = await offer(block(crypto.randomUUID()));
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['page.connected_blocks.0.survey_id']]);
    const survey = await makeSurvey('Early');
    const body = { page: { sign_in_blocks: [block(survey.id)] } };
    const early = await venue.api.put(portal, { token: venue.admin, body });
    expect([early.status, Object.keys(early.body.errors)]).toEqual([422, ['page.sign_in_blocks.0.kind']]);
  });

  test('goes with its survey, from the draft too', async () => {
    const token = venue.admin;
    const [survey, kept] = [await makeSurvey('Goes'), await makeSurvey('Stays')];
    await offer(block(survey.id), block(kept.id));
    const page = { connected_blocks: [block(kept.id), block(survey.id), block(survey.id)] };
    expect((await venue.api.put(`${portal}/draft`, { token, body: { page } })).status).toBe(200);
    await venue.api.delete(`${portal}/surveys/${survey.id}`, { token });
    const [path, browser] = await comeOnline(venue);
    expect((await venue.captive.get(`${path}&lang=en`, browser)).html).not.toContain(survey.id);
    const surveysAt = async (at: string) =>
      (await venue.api.get(at, { token })).body.data.page.connected_blocks.map((it: Body) => it.survey_id);
    expect(await surveysAt(portal)).toEqual([kept.id]);
    expect(await surveysAt(`${portal}/draft`)).toEqual([kept.id]);
    // The rest can be saved, and a draft without the survey has no block of it.
    const again = (await venue.api.get(portal, { token })).body.data.page;
    expect((await venue.api.put(portal, { token, body: { page: again } })).status).toBe(200);
    const without = await venue.api.put(`${portal}/draft`, { token, body: { surveys: [], redirect_rules: [] } });
    expect([without.status, without.body.data.page.connected_blocks]).toEqual([200, []]);
    expect((await venue.api.post(`${portal}/publish`, { token })).body.data.page.connected_blocks).toEqual([]);
    // A version brings its surveys and blocks back together.
    const [, before] = (await venue.api.get(`${portal}/history`, { token })).body.data;
    const old = await venue.api.post(`${portal}/history/${before.id}/restore`, { token });
    expect(old.body.data.page.connected_blocks).toMatchObject([{ survey_id: kept.id }]);
  });

  test('leads to the copy of its survey in a copy of the portal', async () => {
    const survey = await makeSurvey('Copied');
    await offer(block(survey.id));
    const { body } = await venue.api.post(`${portal}/duplicate`, { token: venue.admin, body: { name: 'Twin' } });
    const twin = body.data.surveys.find((it: Body) => it.name === 'Copied');
    expect(twin.id).not.toBe(survey.id);
    expect(body.data.page.connected_blocks).toMatchObject([{ survey_id: twin.id }]);
    const { page } = body.data;
    expect((await venue.api.put(`panel/portal/${body.data.id}`, { token: venue.admin, body: { page } })).status).toBe(
      200,
    );
  });
});
