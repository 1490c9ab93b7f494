import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { comeOnline } from '../testing/come-online.ts';
import { cookiesOf, onlineOf, stateOf } from '../testing/venue.ts';
import { ids, startSurveys } from './testing/asking.ts';

const { venue, makeSurvey, clearRules, rule, only, surveyAt } = await startSurveys();

describe('the first matching rule', () => {
  test('applies, by order and language', async () => {
    const english = await makeSurvey('English');
    await only(
      { state: 'before_login', action: 'redirect_to_url', url: 'https://example.com/de', language: 'de' },
      { state: 'login_failed', action: 'redirect_to_url', url: 'https://example.com/help' },
      { state: 'before_login', action: 'redirect_to_survey', survey_id: english.id },
      { state: 'before_login', action: 'redirect_to_url', url: 'https://example.com/never' },
    );
    const german = await venue.captive.get(venue.arrival(), { 'accept-language': 'de' });
    expect([german.status, german.headers.get('location')]).toEqual([303, 'https://example.com/de']);
    expect((await venue.captive.get(venue.arrival(), { 'accept-language': 'de' })).html).toContain('name="username"');
    // The redirect is recorded in the database, for all processes; the next visit is redirected again.
    await venue.run(
      sql`update guest_redirects set redirected_at = now() - interval '13 hours' where client_mac = parse_mac(${venue.mac})`,
    );
    const visits = await Promise.all(
      [1, 2, 3].map(() => venue.captive.get(venue.arrival(), { 'accept-language': 'de' })),
    );
    expect(visits.map(it => it.status).sort()).toEqual([200, 200, 303]);
    const page = await venue.captive.get(venue.arrival(), { 'accept-language': 'en' });
    expect(page.html).toContain('Were you pleased?');
    await venue.captive.form(surveyAt(), { state: stateOf(page.html), skip: '1' });
    const signIn = await venue.captive.get(venue.arrival(), { 'accept-language': 'en' });
    expect(signIn.html).toContain('name="username"');
    expect(signIn.headers.get('content-security-policy')).toContain("form-action 'self' http: https://example.com;");
    const failed = await venue.submit({ username: 'nobody', password: 'x' });
    expect([failed.status, failed.headers.get('location')]).toEqual([303, 'https://example.com/help']);
    expect(await venue.failures()).toHaveLength(1);
  });
});

describe('after the sign-in', () => {
  test('a survey is shown once per visitor, and stored with the session', async () => {
    const survey = await makeSurvey('After');
    await only({ state: 'login_successful', action: 'redirect_to_survey', survey_id: survey.id });
    const [online, browser] = await comeOnline(venue);
    const page = await venue.captive.get(online, browser);
    expect(page.html).toContain('Were you pleased?');
    const german = /href="([^"]*lang=de[^"]*)"/.exec(page.html)![1]!.replaceAll('&amp;', '&');
    const asked = await venue.captive.get(german, browser);
    expect(asked.html).toContain('Ihre Meinung zählt');
    const answer = await venue.captive.form(surveyAt(), { state: stateOf(asked.html), ...ids(survey).good });
    const next = await venue.captive.get(answer.headers.get('location')!, browser);
    expect(next.html).toContain('You are connected');
    expect(next.html, 'the link to the own data survives the survey').toContain('/my-data?');
    expect((await venue.captive.get(online, browser)).html).toContain('You are connected');
    const [row] = await venue.rows(sql`select r.visitor_id is not null as known, r.session_id = s.id as same
      from survey_responses r join online_sessions s on s.client_mac = r.client_mac where r.survey_id = ${survey.id}`);
    expect(row).toEqual({ known: true, same: true });
  });

  test('a redirect with non-ASCII letters is encoded', async () => {
    const url = 'https://ılıca.example.com/ğ?ş=ı';
    const really = 'https://xn--lca-iuab.example.com/%C4%9F?%C5%9F=%C4%B1';
    const away = { action: 'redirect_to_url', url };
    await only(
      { state: 'before_login', ...away },
      { state: 'login_failed', ...away },
      { state: 'login_successful', ...away },
    );
    venue.newMac();
    const first = await venue.captive.get(venue.arrival());
    expect([first.status, first.headers.get('location')]).toEqual([303, really]);
    const form = await venue.captive.get(venue.arrival());
    expect(form.headers.get('content-security-policy')).toContain('https://xn--lca-iuab.example.com;');
    const failed = await venue.submit({ username: 'nobody', password: 'x' });
    expect([failed.status, failed.headers.get('location')]).toEqual([303, really]);
    expect((await venue.captive.get(...(await comeOnline(venue)))).headers.get('location')).toBe(really);
  });

  test('one rule redirects guests to the address of their language, and the others to one for the rest', async () => {
    const [url, de] = ['https://example.com/any', 'https://example.com/de'];
    await only({ state: 'before_login', action: 'redirect_to_url', url, urls: { de } });
    const arrive = async (language: string) => {
      venue.newMac();
      return (await venue.captive.get(venue.arrival(), { 'accept-language': language })).headers.get('location');
    };
    expect([await arrive('de'), await arrive('tr')]).toEqual([de, url]);
  });

  test('a guest is redirected once; after a failed sign-in the survey shows why', async () => {
    await only({ state: 'login_successful', action: 'redirect_to_url', url: 'https://example.com/welcome' });
    const [online, browser] = await comeOnline(venue);
    expect((await venue.captive.get(online, browser)).headers.get('location')).toBe('https://example.com/welcome');
    expect((await venue.captive.get(online.replace('?new=1', ''), browser)).html).toContain('You are connected');
    const survey = await makeSurvey('Why');
    await only({ state: 'login_failed', action: 'redirect_to_survey', survey_id: survey.id });
    venue.newMac();
    const failed = await venue.submit({ username: 'nobody', password: 'x' });
    expect(failed.status).toBe(422);
    expect(failed.html).toContain('Wrong username or password');
    expect(failed.html).toContain('Were you pleased?');
    await venue.captive.form(surveyAt(), { state: stateOf(failed.html), skip: '1' });
    expect((await venue.submit({ username: 'nobody', password: 'x' })).html).not.toContain('Were you pleased?');
  });
});

describe('a guest who was asked', () => {
  const asks = async (at: string, headers: Record<string, string> = {}) =>
    (await venue.captive.get(at, headers)).html.includes('Were you pleased?');
  /** Signs a visitor in with the device that the venue has now. */
  const signIn = async (username: string): Promise<[string, { cookie: string }]> => {
    const answer = await venue.submit({ username, password: 'parola 1' });
    const ticket = new URL(answer.headers.get('location')!).searchParams.get('username')!;
    expect((await venue.routerAccepts(ticket)).outcome).toBe('accept');
    await venue.routerStarts(ticket, { uploadBytes: 0, downloadBytes: 0 }, { sessionId: venue.mac });
    return [onlineOf(answer), { cookie: cookiesOf(answer) }];
  };

  test('before the sign-in is not asked again after it, nor on another device of the same account', async () => {
    const survey = await makeSurvey('Everywhere');
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    const first = await venue.captive.get(venue.arrival());
    expect(first.html).toContain('Were you pleased?');
    await venue.captive.form(surveyAt(), { state: stateOf(first.html), lang: 'en', ...ids(survey).good });
    const username = await venue.visitor({ shared_user: 5 });
    await venue.captive.get(...(await signIn(username)));
    await rule({ state: 'login_successful', action: 'redirect_to_survey', survey_id: survey.id });

    // A new device of the same account: unknown before the sign-in, known after it.
    venue.newMac();
    const unknown = await venue.captive.get(venue.arrival());
    expect(unknown.html).toContain('Were you pleased?');
    await only({ state: 'login_successful', action: 'redirect_to_survey', survey_id: survey.id });
    const [online, browser] = await signIn(username);
    expect(await asks(online, browser)).toBe(false);
    // On its next visit the device is known before the sign-in, too.
    await only({ state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id });
    expect(await asks(venue.arrival())).toBe(false);

    venue.newMac();
    expect(await asks(venue.arrival()), 'other guests are asked').toBe(true);
    await clearRules();
    const other = await venue.visitor();
    await only({ state: 'login_successful', action: 'redirect_to_survey', survey_id: survey.id });
    expect(await asks(...(await signIn(other)))).toBe(true);
    const [noted] = await venue.rows(sql`select count(*)::int as n from survey_asked where survey_id = ${survey.id}`);
    expect(noted).toEqual({ n: 1 });
  });
});
