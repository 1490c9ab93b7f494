import { videoBytes } from '@portico/contract/advertisements.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';
import { fileForm, picture } from '#test/uploads.ts';
import { box, mp4 } from '#test/videos.ts';

let api: TestApi;
let token: string;
let portal: string;
let poster: string;
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  portal = (await api.post('panel/portal', { token, body: { name: 'Lobi' } })).body.data.id;
  const body = fileForm(await picture(), { collection: 'advertisement' });
  poster = (await api.post(`panel/portal/${portal}/image`, { token, body })).body.data.url;
});
const upload = (file: Buffer, at = `panel/portal/${portal}/video`) => api.post(at, { token, body: fileForm(file) });
const uploaded = async (file = mp4({})): Promise<string> => (await upload(file)).body.data.url;
const advertise = (body: object): Promise<Body> =>
  api.post(`panel/portal/${portal}/ads`, { token, body: { name: 'Tea', type: 'video', images: [poster], ...body } });

describe('a video', () => {
  test('is stored without its metadata, also before its portal is saved', async () => {
    for (const at of [`panel/portal/${portal}/video`, 'panel/portal/video']) {
      const answer = await upload(mp4({ moov: [box('udta', Buffer.from('secret place'))] }), at);
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body.data.url).toMatch(/\/uploads\/[0-9a-f-]{36}\/video-[0-9a-f-]{36}\.mp4$/);
    }
    const log = await api.get('panel/audit?search=Lobi', { token });
    expect(log.body.data[0].subject).toMatchObject({ type: 'video', name: 'Lobi' });
  });

  test('is refused if it is another file or too large', async () => {
    for (const file of [await picture(), Buffer.from('<script>')]) {
      const answer = await upload(file);
      expect([answer.status, answer.body.errors], answer.text).toEqual([
        422,
        { file: ['Choose an MP4 or WebM video.'] },
      ]);
    }
    expect((await upload(mp4({ more: [box('free', Buffer.alloc(videoBytes))] }))).status).toBe(413);
    const none = await api.post(`panel/portal/${portal}/video`, { token, body: new FormData() });
    expect([none.status, Object.keys(none.body.errors)]).toEqual([422, ['file']]);
  });

  test('needs the permission to change the portal', async () => {
    const url = `panel/portal/${portal}/video`;
    const place: string = (await api.post('panel/location', { token, body: { name: 'Kafe' } })).body.data.id;
    const member = (await api.user('member', { location: place })).token;
    const other = (await api.user('tenant-admin', { tenant: 'other' })).token;
    const send = async (as: object) => (await api.post(url, { ...as, body: fileForm(mp4({})) })).status;
    expect(await send({})).toBe(401);
    expect(await send({ token: member })).toBe(404);
    expect(await send({ token: other, tenant: 'other' })).toBe(404);
  });
});

describe('an advertisement with a video', () => {
  test('has a video, a poster and perhaps a time to wait', async () => {
    const video = await uploaded();
    const made = await advertise({ video, seconds: 5 });
    expect(made.status, made.text).toBe(201);
    expect(made.body.data).toMatchObject({ type: 'video', video, seconds: 5, images: [poster], link: null });
    const at = `panel/portal/${portal}/ads/${made.body.data.id}`;
    const changed = await api.put(at, { token, body: { seconds: null } });
    expect(changed.body.data).toMatchObject({ video, seconds: null });
    const pictures = await api.put(at, { token, body: { type: 'image', images: [poster] } });
    expect(pictures.body.data, 'another type does not keep the video').toMatchObject({ video: null, seconds: null });
  });

  test('must be complete, with files of this tenant', async () => {
    const video = await uploaded();
    for (const [body, field] of [
      [{}, 'video'],
      [{ video: '' }, 'video'],
      [{ video: 'https://evil.example/x.mp4' }, 'video'],
      [{ video: poster }, 'video'],
      [{ video: video.replace(/video-[0-9a-f]{4}/, 'video-0000') }, 'video'],
      [{ video, images: [] }, 'images'],
      [{ video, images: [video] }, 'images'],
      [{ video, seconds: 2 }, 'seconds'],
      [{ video, seconds: 31 }, 'seconds'],
      [{ video, seconds: 4.5 }, 'seconds'],
      [{ video, link: 'https://tea.example' }, 'link'],
    ] as const) {
      const answer = await advertise(body);
      expect([answer.status, Object.keys(answer.body.errors ?? {})], JSON.stringify(body)).toEqual([422, [field]]);
    }
  });

  test('stays in a draft, a version and a copy', async () => {
    const video = await uploaded();
    const body = { advertisements: [{ name: 'Tea', type: 'video', video, seconds: 7, images: [poster] }] };
    const at = `panel/portal/${portal}`;
    expect((await api.put(`${at}/draft`, { token, body })).body.data.advertisements).toMatchObject([
      { video, seconds: 7 },
    ]);
    await api.post(`${at}/publish`, { token, body: {} });
    expect((await api.get(at, { token })).body.data.advertisements).toMatchObject([{ video, seconds: 7 }]);
    const copy = await api.post(`${at}/duplicate`, { token, body: { name: 'Copy' } });
    expect(copy.body.data.advertisements).toMatchObject([{ video, seconds: 7 }]);
  });
});
