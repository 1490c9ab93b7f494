import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';

let api: TestApi;
let admin: string;

const createPortal = async (name = 'Lobby'): Promise<Body> => {
  const answer = await api.post('panel/portal', { token: admin, body: { name } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};

beforeAll(async () => {
  api = await startApi();
  admin = (await api.user('tenant-admin')).token;
});

describe('items nested in a portal', () => {
  test('advertisements: an image or an embed code, made, changed, listed, deleted', async () => {
    const { id } = await createPortal();
    const at = `panel/portal/${id}/ads`;
    const { url } = (
      await api.post(`panel/portal/${id}/image`, {
        token: admin,
        body: fileForm(await picture(), { collection: 'advertisement' }),
      })
    ).body.data;
    const made = await api.post(at, { token: admin, body: { name: 'Menu', type: 'image', images: [url] } });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data).toMatchObject({ name: 'Menu', images: [url], embed_code: null });
    const code = '<iframe src="https://player.example/1" onload="x()"></iframe><script>x()</script>text';
    const changed = await api.put(`${at}/${made.body.data.id}`, {
      token: admin,
      body: { name: 'Film', type: 'embed', embed_code: code },
    });
    expect(changed.body.data).toMatchObject({
      type: 'embed',
      images: [],
      embed_code: '<iframe src="https://player.example/1"></iframe>text',
    });
    expect((await api.get(at, { token: admin })).body.meta.total).toBe(1);
    const timing = {
      starts_on: '2026-12-01',
      ends_on: '2026-12-01',
      weekdays: [7, 6, 6],
      languages: ['tr'],
      weight: 5,
      daily_cap: 3,
    };
    const timed = { name: 'Timed', type: 'image', images: [url], link: 'https://shop.example/a', ...timing };
    const kept = (await api.post(at, { token: admin, body: timed })).body.data;
    expect(kept).toMatchObject({ ...timed, weekdays: [6, 7] });
    const putTimed = (body: object) => api.put(`${at}/${kept.id}`, { token: admin, body });
    expect((await putTimed({ name: 'Renamed' })).body.data).toMatchObject({
      ...timed,
      name: 'Renamed',
      weekdays: [6, 7],
    });
    expect((await putTimed({ starts_on: '2026-12-02' })).body.errors).toEqual({
      ends_on: ['The end must be after the start.'],
    });
    expect(
      (await putTimed({ type: 'embed', embed_code: '<iframe src="https://a.example"></iframe>' })).body.data,
    ).toMatchObject({
      link: null,
      weight: 5,
    });
    const nothing = { starts_on: null, ends_on: '', weekdays: null, languages: null, weight: null, daily_cap: '' };
    expect((await putTimed(nothing)).body.data).toMatchObject({
      ...nothing,
      ends_on: null,
      weight: 1,
      daily_cap: null,
    });
    const [entry] = (await api.get('panel/audit?per_page=1', { token: admin })).body.data;
    expect(entry.after).toMatchObject({ daily_cap: null, weekdays: null });
    expect((await api.delete(`${at}/${kept.id}`, { token: admin })).status).toBe(204);
    for (const [field, value] of [
      ['link', 'http://shop.example/'],
      ['link', 'javascript:alert(1)'],
      ['link', 'https://'],
      ['link', '//shop.example'],
      ['starts_on', '2026-02-30'],
      ['starts_on', '1.12.2026'],
      ['weekdays', []],
      ['weekdays', [0]],
      ['languages', []],
      ['languages', ['xx']],
      ['weight', 0],
      ['weight', 1.5],
      ['daily_cap', 101],
    ] as const) {
      const answer = await api.post(at, {
        token: admin,
        body: { name: 'A', type: 'image', images: [url], [field]: value },
      });
      expect(answer.status, `${field} ${value}`).toBe(422);
      expect(Object.keys(answer.body.errors)[0]).toMatch(new RegExp(`^${field}`));
    }
    for (const [body, field] of [
      [
        {
          name: 'A',
          type: 'embed',
          embed_code: '<iframe src="https://a.example"></iframe>',
          link: 'https://a.example/',
        },
        'link',
      ],
      [{ name: '', type: 'image', images: [url] }, 'name'],
      [{ name: 'A' }, 'type'],
      [{ name: 'A', type: 'image' }, 'images'],
      [{ name: 'A', type: 'image', images: ['https://evil.example/uploads/x.png'] }, 'images'],
      [{ name: 'A', type: 'embed' }, 'embed_code'],
      [{ name: 'A', type: 'embed', embed_code: '<script src="https://x"></script>' }, 'embed_code'],
      [{ name: 'A', type: 'embed', embed_code: '<b>hi</b>' }, 'embed_code'],
      [{ name: 'A', type: 'embed', embed_code: '&lt;iframe src="https://a.example"' }, 'embed_code'],
      [{ name: 'A', type: 'embed', embed_code: '<iframe src="http://a.example"></iframe>text' }, 'embed_code'],
      [{ name: 'A', type: 'embed', embed_code: '<iframe src="javascript:x"></iframe>' }, 'embed_code'],
      [{ name: 'A', type: 'embed', embed_code: '<iframe src="data:text/html,x"></iframe>' }, 'embed_code'],
      [{ name: 'A', type: 'embed', embed_code: '<iframe src="//a.example"></iframe>' }, 'embed_code'],
      [{ name: 'A', type: 'embed', embed_code: '<iframe srcdoc="<script>x</script>"></iframe>' }, 'embed_code'],
    ] as const) {
      const answer = await api.post(at, { token: admin, body });
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    }
    const wide = {
      name: 'Wide',
      type: 'embed',
      embed_code: '<p><iframe width="1" src=" HTTPS://a.example/"></iframe></p>',
    };
    expect((await api.post(at, { token: admin, body: wide })).status).toBe(201);
    expect((await api.delete(`${at}/${made.body.data.id}`, { token: admin })).status).toBe(204);
    expect((await api.delete(`${at}/${made.body.data.id}`, { token: admin })).status).toBe(404);
  });

  test('rules lead to a survey of this portal or to a web address, in their order', async () => {
    const [one, other] = [await createPortal(), await createPortal()];
    const survey = async (portal: string) =>
      (await api.post(`panel/portal/${portal}/surveys`, { token: admin, body: { name: 'Stay', questions: [] } })).body
        .data.id;
    const [own, foreign] = [await survey(one.id), await survey(other.id)];
    const at = `panel/portal/${one.id}/rules`;
    const post = (body: unknown) => api.post(at, { token: admin, body });
    const first = await post({ state: 'login_successful', action: 'redirect_to_url', url: 'https://example.com/menu' });
    expect(first.status, first.text).toBe(201);
    const second = await post({ state: 'before_login', action: 'redirect_to_survey', survey_id: own, language: 'de' });
    expect(second.body.data).toMatchObject({ survey_id: own, url: null, language: 'de', order: 2 });
    await api.put(`${at}/${second.body.data.id}`, { token: admin, body: { ...second.body.data, order: 1 } });
    await api.put(`${at}/${first.body.data.id}`, { token: admin, body: { ...first.body.data, order: 2 } });
    const { redirect_rules } = (await api.get(`panel/portal/${one.id}`, { token: admin })).body.data;
    expect(redirect_rules.map((r: Body) => r.id)).toEqual([second.body.data.id, first.body.data.id]);
    for (const [body, field] of [
      [{ state: 'before_login', action: 'redirect_to_survey', survey_id: foreign }, 'survey_id'],
      [{ state: 'before_login', action: 'redirect_to_survey' }, 'survey_id'],
      [{ state: 'before_login', action: 'redirect_to_url' }, 'url'],
      [{ state: 'before_login', action: 'redirect_to_url', url: 'javascript:alert(1)' }, 'url'],
      [{ state: 'sometimes', action: 'redirect_to_url', url: 'https://example.com' }, 'state'],
    ] as const) {
      const answer = await post(body);
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    }
    const link = async (url?: string) =>
      (await post({ state: 'before_login', action: 'redirect_to_url', url })).body.errors.url;
    expect(await link()).toEqual(['Redirect link cannot be empty in this language.']);
    expect(await link('https://')).toEqual(['Redirect link must be written correctly.']);
    expect(await link('https://user:pw@a.example')).toEqual(['Enter the address without a username and password.']);
    // One address per language: each language has one, or there is one for the rest.
    const perLanguage = async (urls: Body, more: Body = {}) =>
      (await post({ state: 'login_failed', action: 'redirect_to_url', urls, ...more })).body;
    const [tr, en] = ['https://example.com/tr', 'https://example.com/en'];
    const empty = ['Redirect link cannot be empty in this language.'];
    expect((await perLanguage({ tr, en, de: '' })).errors).toEqual({
      'urls.de': empty,
      'urls.ru': empty,
      'urls.ar': empty,
    });
    expect((await perLanguage({ tr: 'example' }, { url: en })).errors).toEqual({
      'urls.tr': ['Redirect link must be written correctly.'],
    });
    expect((await perLanguage({ en }, { language: 'de' })).errors).toEqual({ url: empty });
    const tags = 'az be bg bn bs ca cs da el et fi fil ga gl he hi hr hu hy id is'.split(' ');
    const many = Object.fromEntries(tags.map(tag => [tag, en]));
    expect((await perLanguage(many, { url: en })).errors).toEqual({
      urls: ['There are too many languages. Remove one first.'],
    });
    const { data } = await perLanguage({ tr, de: '' }, { url: en });
    expect(data).toMatchObject({ url: en, urls: { tr } });
    expect(data.urls).toEqual({ tr });
    // A change keeps what it does not name, and is checked as a whole.
    const change = (body: Body) => api.put(`${at}/${data.id}`, { token: admin, body });
    expect((await change({ state: 'before_login' })).body.data).toMatchObject({
      state: 'before_login',
      url: en,
      urls: { tr },
    });
    expect((await change({ urls: { en, fr: en } })).body.data.urls).toEqual({ tr, en, fr: en });
    expect((await change({ urls: { en: '', fr: null } })).body.data.urls).toEqual({ tr });
    expect((await change({ urls: many })).body.errors).toHaveProperty('urls');
    expect((await change({ urls: null })).body.data.urls).toEqual({});
    expect((await change({ urls: { tr } })).body.data.urls).toEqual({ tr });
    expect((await change({ url: null })).body.errors).toMatchObject({ 'urls.en': empty });
    expect((await change({ action: 'redirect_to_survey', survey_id: own })).body.data).toMatchObject({
      url: null,
      urls: {},
    });
    expect((await api.delete(`${at}/${data.id}`, { token: admin })).status).toBe(204);
    // The rule that led to it goes with a survey.
    expect((await api.delete(`panel/portal/${one.id}/surveys/${own}`, { token: admin })).status).toBe(204);
    expect((await api.get(at, { token: admin })).body.meta.total).toBe(1);
  });

  test('a survey’s questions stay when a change leaves them out, and go with an empty list', async () => {
    const { id } = await createPortal();
    const body = { name: 'Stay', questions: [{ label: { en: 'Well?' }, answers: [{ label: { en: 'Yes' } }] }] };
    const { data } = (await api.post(`panel/portal/${id}/surveys`, { token: admin, body })).body;
    const put = async (body: unknown) => {
      const answer = await api.put(`panel/portal/${id}/surveys/${data.id}`, { token: admin, body });
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data;
    };
    expect(await put({ name: 'Renamed' })).toMatchObject({ name: 'Renamed', questions: data.questions });
    expect(await put({ name: 'Renamed', questions: [] })).toMatchObject({ questions: [] });
    await put({ questions: body.questions });
    expect(await put({ questions: null })).toMatchObject({ questions: [] });
  });

  test('surveys keep their questions in every language', async () => {
    const { id } = await createPortal();
    const body = {
      name: 'Stay',
      questions: [
        {
          label: { tr: 'Memnun kaldınız mı?', en: 'Were you pleased?' },
          answer_type: 'emoji',
          type: 'multiple',
          answers: [
            { label: {}, emoji: 'good' },
            { label: { en: 'Bad' }, emoji: 'bad' },
          ],
        },
      ],
    };
    const made = await api.post(`panel/portal/${id}/surveys`, { token: admin, body });
    expect(made.body.data).toMatchObject(body);
    const bad = await api.post(`panel/portal/${id}/surveys`, {
      token: admin,
      body: { name: 'X', questions: [{ answer_type: 'audio' }] },
    });
    expect(bad.status).toBe(422);
  });
});
