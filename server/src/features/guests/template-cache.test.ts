import { gunzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fileForm, picture } from '#test/uploads.ts';
import { newGuestEachTest, startVenue, stateOf, type Venue } from './testing/venue.ts';

let venue: Venue;
beforeAll(async () => {
  venue = await startVenue();
}, 120_000);
newGuestEachTest(() => venue);
beforeEach(async () => {
  await venue.update(`panel/location/${venue.location}`, { name: 'Kafe', portal_id: venue.portal.id });
});

const at = (more = '') => `panel/portal/${venue.portal.id}${more}`;
const put = (body: unknown) => venue.update(at(), body);
const page = async (more: Record<string, string> = {}) => (await venue.captive.get(venue.arrival(more))).html;
/** The page without the guest's own values. */
const bare = (html: string) =>
  html
    .replace(/nonce="[^"]*"/g, '')
    .replace(/name="state" value="[^"]*"/g, '')
    .replace(/mac=[^&"]*/g, '');

describe('the cached sign-in page', () => {
  test('contains each guest’s own addresses, state and nonce, and nothing of another guest', async () => {
    const seen = new Set<string>();
    for (const [mac, orig] of [
      ['AA:BB:CC:DD:EE:01', 'http://example.com/?a=1&b="><script>alert(1)</script>'],
      ['AA:BB:CC:DD:EE:02', "http://example.org/'"],
    ] as const) {
      const answer = await venue.captive.get(venue.arrival({ mac, orig, lang: 'tr' }));
      const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy')!)![1]!;
      expect(answer.html).toContain(`<style nonce="${nonce}">`);
      expect(answer.html).not.toContain('<script>alert');
      const go = { state: stateOf(answer.html), go: 'tr' };
      const link = (await venue.captive.post(venue.signInAt, go)).headers.get('location')!;
      const query = new URL(link, 'http://x').searchParams;
      expect([query.get('mac'), query.get('orig')]).toEqual([mac, orig]);
      for (const own of [nonce, stateOf(answer.html), mac]) {
        expect(seen.has(own)).toBe(false);
        seen.add(own);
      }
      expect(answer.html).not.toMatch(/[0-9a-f]{24}[nwqs]/);
    }
  });

  test('has the same content with and without compression', async () => {
    const ask = async (accept: string) => {
      const { request } = await import('node:http');
      return new Promise<{ bytes: Buffer; encoding: string | undefined }>((resolve, reject) =>
        request(venue.captive.url + venue.arrival(), { headers: { 'accept-encoding': accept } }, answer => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () =>
            resolve({ bytes: Buffer.concat(chunks), encoding: answer.headers['content-encoding'] }),
          );
        })
          .on('error', reject)
          .end(),
      );
    };
    const [plain, compressed] = [await ask('identity'), await ask('gzip, deflate, br')];
    expect([plain.encoding, compressed.encoding]).toEqual([undefined, 'gzip']);
    expect(bare(gunzipSync(compressed.bytes).toString())).toBe(bare(plain.bytes.toString()));
    expect(compressed.bytes.length).toBeLessThan(10_000);
  });

  test('shows an operator’s changes to the next guest', async () => {
    let before = bare(await page({ lang: 'en' }));
    const changed = async (what: string, shown: string) => {
      const now = bare(await page({ lang: 'en' }));
      expect(now, what).not.toBe(before);
      expect(now, what).toContain(shown);
      before = now;
    };
    await put({ messages: { welcome_message_title: { en: 'Come in' } } });
    await changed('a text', 'Come in');
    await put({ styles: { welcome_font_size: 40 } });
    await changed('a style', '--title-size:2.5rem');
    await put({ providers: [{ slug: 'temp', order: 1 }] });
    await changed('the methods', 'value="temp"');
    await put({ agreements: { general: { en: '<p>Be kind</p>' } } });
    await changed('an agreement', 'value="general"');
    await venue.update(`panel/location/${venue.location}`, { name: 'Another name' });
    await changed('the location', 'Another name');
    const version = (await venue.api.get(at('/history'), { token: venue.admin })).body.data.at(-1).id;
    await venue.api.post(at(`/history/${version}/restore`), { token: venue.admin });
    await changed('a version brought back', 'name="username"');

    const body = fileForm(await picture(), { collection: 'advertisement' });
    const { url } = (await venue.api.post(at('/image'), { token: venue.admin, body })).body.data;
    const logo = new URL(url).pathname;
    const ad = await venue.create(at('/ads'), { name: 'First', type: 'image', images: [logo] });
    await changed('an advertisement', logo);
    await venue.update(at(`/ads/${ad.id}`), { name: 'Second', type: 'image', images: [logo] });
    await changed('its name', 'Second');
    await venue.api.delete(at(`/ads/${ad.id}`), { token: venue.admin });
    expect(bare(await page({ lang: 'en' }))).not.toContain(logo);

    const survey = await venue.create(at('/surveys'), { name: 'S', questions: [{ label: { en: 'How are you?' } }] });
    const to = { state: 'before_login', action: 'redirect_to_survey', survey_id: survey.id };
    const rule = await venue.create(at('/rules'), to);
    expect(await page({ lang: 'en' })).toContain('How are you?');
    await venue.api.delete(at(`/rules/${rule.id}`), { token: venue.admin });
    expect(await page({ lang: 'en' })).toContain('name="username"');

    const other = await venue.create('panel/portal', { name: 'Other', location_id: venue.location });
    await venue.update(`panel/portal/${other.id}`, { messages: { welcome_message_title: { en: 'The other one' } } });
    await venue.update(`panel/location/${venue.location}`, { name: 'Another name', portal_id: other.id });
    expect(await page({ lang: 'en' })).toContain('The other one');
    await venue.api.delete(`panel/portal/${other.id}`, { token: venue.admin });
    expect((await venue.captive.get(venue.arrival())).status).toBe(404);
  });
});

describe('simultaneous guests', () => {
  test('are looked up in one batch, and each gets its own context', async () => {
    const blocked = 'AA:BB:CC:DD:EE:99';
    await venue.create(`panel/device/${venue.device.id}/macs`, { mac: blocked, type: 'blocked', comment: '' });
    const macs = Array.from({ length: 40 }, (_, i) => (i % 4 ? `AA:BB:CC:DD:00:${10 + i}` : blocked));
    const answers = await Promise.all(macs.map(mac => venue.captive.get(venue.arrival({ mac }))));
    for (const [i, { status, html }] of answers.entries()) {
      expect(status).toBe(macs[i] === blocked ? 403 : 200);
      if (status === 200)
        expect(html).toContain(
          Buffer.from(JSON.stringify([venue.nas, macs[i]!]).slice(0, -1))
            .toString('base64url')
            .slice(0, -2),
        );
    }
  });

  test('are not affected by another guest’s malformed input', async () => {
    const bad = ['?mac=%00&ip=%00', '?mac=zz&ip=999.1.1.1', `?mac=${'A'.repeat(63)}&ip=${'1'.repeat(60)}`, '?ip=::/0'];
    const answers = await Promise.all([
      ...bad.map(query => venue.captive.get(`/w/${venue.nas}${query}`)),
      ...Array.from({ length: 8 }, () => venue.captive.get(venue.arrival())),
    ]);
    for (const [i, { status }] of answers.entries()) {
      if (i < bad.length) expect([200, 400]).toContain(status);
      else expect(status).toBe(200);
    }
  });
});
