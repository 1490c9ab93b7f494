import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startVenue } from '#features/guests/testing/venue.ts';

/**
 * The attack: a request that a proxy and the product read differently. The product would answer another one than the proxy
 * judged, or for another host. Such a request must be refused, and its connection closed.
 */

const venue = await startVenue();
const here = 'Host: panel.example\r\n';

const smuggled: readonly (readonly [name: string, request: string])[] = [
  ['two hosts', `GET /v1/config HTTP/1.1\r\n${here}Host: other.example\r\n\r\n`],
  ['two hosts in other letters', `GET /v1/config HTTP/1.1\r\n${here}hOST: panel.example\r\n\r\n`],
  ['no host', 'GET /v1/config HTTP/1.1\r\n\r\n'],
  [
    'a length and chunks',
    `POST /v1/user/login HTTP/1.1\r\n${here}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX`,
  ],
  ['two lengths', `POST /v1/user/login HTTP/1.1\r\n${here}Content-Length: 0\r\nContent-Length: 44\r\n\r\n`],
  ['an unknown coding', `POST /v1/user/login HTTP/1.1\r\n${here}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['a space before the colon', `GET /v1/config HTTP/1.1\r\n${here}X-Tenant : other\r\n\r\n`],
  ['a folded header', `GET /v1/config HTTP/1.1\r\n${here}X-A: b\r\n c\r\n\r\n`],
  ['lines that end with LF only', 'GET /v1/config HTTP/1.1\nHost: panel.example\n\n'],
  ['a NUL in the path', `GET /v1/con\0fig HTTP/1.1\r\n${here}\r\n`],
];

/** The statuses of all answers to what is sent over one connection, which the server has to close. */
const statuses = (url: string, text: string): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.on('error', reject);
    socket.setTimeout(20_000, () => socket.destroy(new Error('The connection stays open')));
    socket.on('close', () => resolve([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(it => Number(it[1]))));
  });

test.for(smuggled)('%s: the panel and the portal refuse the request', async ([, request]) => {
  for (const url of [venue.api.url, venue.captive.url]) expect(await statuses(url, request)).toEqual([400]);
});

test('an ordinary request with one host is answered', async () => {
  for (const url of [venue.api.url, venue.captive.url])
    expect(await statuses(url, `GET /v1/nothing HTTP/1.1\r\n${here}Connection: close\r\n\r\n`)).toEqual([404]);
});
