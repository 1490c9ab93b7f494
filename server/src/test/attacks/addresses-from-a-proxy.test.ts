import { expect, test } from 'vitest';
import { startApi } from '#test/harness.ts';

const api = await startApi({ TRUST_PROXY: '127.0.0.1,10.9.0.0/16' });

/** Signs in with an X-Forwarded-For header and returns the address of the new session. */
async function addressSeen(forwarded: string): Promise<unknown> {
  const { email } = await api.user('tenant-admin');
  const headers = { 'x-forwarded-for': forwarded };
  const made = await api.post('user/login', { body: { email, password: 'secret1' }, headers });
  expect(made.status, forwarded).toBe(200);
  const { token } = made.body.data;
  expect((await api.post('panel/location', { token, body: { name: email }, headers })).status).toBe(201);
  const [entry] = (await api.get('panel/audit', { token })).body.data;
  return entry.ip;
}

test.each([
  ['with a port', '203.0.113.9:51034', '203.0.113.9'],
  ['IPv6 with a port', '[2001:db8::9]:51034', '2001:db8::9'],
  ['IPv6 in brackets', '[2001:db8::9]', '2001:db8::9'],
  ['mapped, in brackets', '[::ffff:203.0.113.9]:51034', '203.0.113.9'],
  ['behind a second proxy with a port', '198.51.100.1, 203.0.113.9:51034, 10.9.0.4:443', '203.0.113.9'],
])('an address from a proxy is read %s', async (_how, forwarded, expected) => {
  expect(await addressSeen(forwarded)).toBe(expected);
});

test.each([
  ['unknown', '127.0.0.1'],
  ['_hidden', '127.0.0.1'],
  ['203.0.113.9, garbage', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['"203.0.113.9"', '127.0.0.1'],
  ['[203.0.113.9', '127.0.0.1'],
  ['203.0.113.9, unknown, 10.9.0.4', '10.9.0.4'],
])('the proxy counts where it names no address: %s', async (forwarded, expected) => {
  expect(await addressSeen(forwarded)).toBe(expected);
});

test('a caller gets no new limit by another port or another garbage', async () => {
  const limited = await startApi({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT: '10' });
  const ask = async (forwarded: string) =>
    (await limited.get('config', { headers: { 'x-forwarded-for': forwarded } })).status;
  for (const form of [(n: number) => `203.0.113.9:${1000 + n}`, (n: number) => `garbage${n}`]) {
    const seen = new Set<number>();
    for (let n = 0; n < 12; n++) seen.add(await ask(form(n)));
    expect(seen).toContain(429);
  }
});
