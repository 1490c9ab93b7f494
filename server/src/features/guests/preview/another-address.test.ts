import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { fileForm, picture } from '#test/uploads.ts';
import { startVenue, type Venue } from '../testing/venue.ts';

let venue: Venue;
let token: string;
beforeAll(async () => {
  venue = await startVenue({ CAPTIVE_URL: 'http://localhost:8081' });
  token = (await venue.api.user('tenant-admin')).token;
}, 120_000);

const at = (host: string, url: string, payload?: object) =>
  venue.api.server.inject({
    url,
    headers: { host, 'x-tenant': 'panel', authorization: `Bearer ${token}` },
    ...(payload && { method: 'PUT', payload }),
  });
const elsewhere = '192.0.2.7:8080';

describe('a panel without settings, opened at another address of the machine', () => {
  test('finds the guest portal there, under addresses only', async () => {
    const captive = async (host: string) => (await at(host, '/v1/config')).json().data.captive_url;
    expect(await captive(elsewhere)).toBe('http://192.0.2.7:8081');
    expect(await captive('[2001:db8::7]:8080')).toBe('http://[2001:db8::7]:8081');
    // The owner of a name can lead it here. The others are this machine for its own browser only.
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', 'wifi.example:8080', '192.0.2.7.example'])
      expect(await captive(host), host).toBe('http://localhost:8081');
  });

  test('may load its pictures and its frame', async () => {
    const csp = String((await at(elsewhere, '/portals')).headers['content-security-policy']);
    for (const part of ['img-src', 'media-src', 'frame-src'])
      expect(csp).toMatch(new RegExp(`${part} [^;]*http://192\\.0\\.2\\.7:8081(;|$)`));
    expect(csp).not.toContain('localhost');
  });

  test('gets and sends pictures at that address, which is not stored', async () => {
    const { portal, api } = venue;
    const body = fileForm(await picture(30, 20), { collection: 'logo' });
    const { url } = (await api.post(`panel/portal/${portal.id}/image`, { token, body })).body.data;
    const path = new URL(url).pathname;
    const logoAt = async (host: string) =>
      (await at(host, `/v1/panel/portal/${portal.id}`)).json().data.styles.portal_logo;
    for (const sent of [url, `http://192.0.2.7:8081${path}`]) {
      const answer = await at(elsewhere, `/v1/panel/portal/${portal.id}`, { styles: { portal_logo: sent } });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(await logoAt(elsewhere)).toBe(`http://192.0.2.7:8081${path}`);
      expect(await logoAt('localhost:8080')).toBe(url);
    }
    const foreign = { styles: { portal_logo: `http://192.0.2.8:8081${path}` } };
    expect((await at(elsewhere, `/v1/panel/portal/${portal.id}`, foreign)).statusCode).toBe(422);
  });

  test('may frame the preview, and no other page may', async () => {
    const { captive, portal } = venue;
    // `fetch` sends no other Host.
    const policyAt = async (url: string) => {
      const sent = request(captive.url + url, { headers: { host: '192.0.2.7:8081' } }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.headers['content-security-policy'];
    };
    for (const panel of ['http://192.0.2.7:8080', 'http://192.0.2.8:8080', 'http://192.0.2.7:9']) {
      const url = `/preview/${portal.id}?tenant=panel&panel=${encodeURIComponent(panel)}`;
      expect(await policyAt(url)).toContain('frame-ancestors http://192.0.2.7:8080;');
    }
  });
});
