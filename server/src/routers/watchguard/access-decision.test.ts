import { expect, test } from 'vitest';
import { decisionUrl, packRequest, signDecision, unpackRequest } from './access-decision.ts';

const asked = {
  url: 'http://10.0.3.1:4106/wgcgi.cgi',
  ts: '1677336031',
  sn: 'D0FE0CF6C42CB',
  mac: 'CA:FE:C0:FF:EE:00',
};
const decision = { success: 1, sessionTimeout: 86_398, idleTimeout: 0 } as const;

test('a decision has the checksum of the published example', () => {
  expect(signDecision(asked, decision, 'test')).toBe('d80cda05a95013000ecb0058fc46f9e89be8e641');
  for (const other of [
    { ...decision, success: 0 as const },
    { ...decision, idleTimeout: 1 },
  ])
    expect(signDecision(asked, other, 'test')).not.toBe('d80cda05a95013000ecb0058fc46f9e89be8e641');
});

test('a decision goes to the address of its request with all required parameters', () => {
  const url = new URL(decisionUrl(asked, { ...decision, secret: 'test', redirect: 'https://a.example/?b=c&d' }));
  expect(url.origin + url.pathname).toBe(asked.url);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    action: 'hotspot_auth',
    ts: asked.ts,
    success: '1',
    sess_timeout: '86398',
    idle_timeout: '0',
    sig: 'd80cda05a95013000ecb0058fc46f9e89be8e641',
    redirect: 'https://a.example/?b=c&d',
  });
});

test('a request is packed into one address, and other addresses are rejected', () => {
  expect(unpackRequest(new URL(packRequest(asked)))).toEqual(asked);
  for (const other of ['', '?ts=x&sn=a&mac=b', '?ts=1&sn=&mac=b', '?ts=1&sn=a'])
    expect(unpackRequest(new URL(asked.url + other))).toBeUndefined();
});
