import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { attribute } from '@portico/radius/attributes.ts';
import { integer } from '@portico/radius/encode.ts';
import { readText } from '@portico/radius/packet.ts';
import { afterEach, expect, it } from 'vitest';
import { formsOf, linksOf } from './browser.ts';
import { startRouter } from './router.ts';
import { signInByPortal } from './sign-in.ts';
import { bsdLine } from './syslog.ts';
import { startToyServer } from './toy-server.ts';
import { openVenue } from './venue.ts';

const secret = 'simulated-secret-of-a-device';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const toyServer = async () => {
  const server = await startToyServer({
    secret,
    password: 'hello',
    accept: () => [integer(attribute['Session-Timeout'], 1200), integer(attribute['Acct-Interim-Interval'], 300)],
  });
  closing.push(server.close);
  return server;
};

it('simulates a day of guests who arrive, roam, use up their time and leave', async () => {
  const server = await toyServer();
  const lines: string[] = [];
  const log = createSocket('udp4').on('message', line => lines.push(line.toString()));
  await new Promise<void>(resolve => log.bind(0, '127.0.0.1', resolve));
  closing.push(() => log.close());
  const router = (nasIdentifier: string, location: string) => ({
    nasIdentifier,
    secret,
    location,
    radius: server.radius,
    syslog: { host: '127.0.0.1', port: log.address().port },
  });
  const venue = await openVenue({
    routers: [router('sim00001', 'a'), router('sim00002', 'a'), router('sim00003', 'b')],
    visitors: [
      { username: 'ayse', password: 'hello', location: 'a' },
      { username: 'john', password: 'hello', location: 'b' },
    ],
    guests: 30,
    timeScale: 1500,
    habits: { roam: 0.1, staySeconds: 2400, awaySeconds: 600 },
  });
  const parts = ['forward: in:bridge-guest', 'dhcp1 assigned', 'dhcp1 deassigned', 'query from', 'action=allow'];
  const happened = () => {
    const { online, accepted, rejected, ended } = venue.stats();
    return {
      some: online > 3 && accepted > 30 && rejected > 0,
      ends: ['Session-Timeout', 'Lost-Carrier', 'User-Request'].filter(cause => (ended[cause] ?? 0) > 0),
      lines: parts.filter(part => lines.some(line => line.includes(part))),
    };
  };
  await expect
    .poll(happened)
    .toEqual({ some: true, ends: ['Session-Timeout', 'Lost-Carrier', 'User-Request'], lines: parts });
  await venue.stop();
  const stats = venue.stats();
  expect(stats.online).toBe(0);
  expect(stats).toMatchObject({ unanswered: 0, lost: 0, acknowledged: stats.accounted });
  expect(stats.ended['NAS-Reboot']).toBeGreaterThan(0);
  const guestsOf = (name: string) =>
    new Set(
      server.access
        .filter(packet => readText(packet, attribute['NAS-Identifier']) === name)
        .map(packet => readText(packet, attribute['User-Name'])),
    );
  expect([guestsOf('sim00001'), guestsOf('sim00003')]).toEqual([new Set(['ayse']), new Set(['john'])]);
  expect(lines.every(line => /^<30>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d sim0000\d sim0000\d: /.test(line))).toBe(true);
});

it('writes the day of the month as in RFC 3164', () => {
  expect(bsdLine('sim00001', 'x', new Date(2026, 3, 5, 6, 7, 8))).toBe('<30>Apr  5 06:07:08 sim00001 sim00001: x');
});

it('signs a guest in through a portal, with a cookie, a hidden state and a one-time ticket', async () => {
  const server = await toyServer();
  let login = '';
  const portal = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://portal');
    if (request.method === 'GET') {
      login = url.searchParams.get('login') ?? '';
      response.setHeader('set-cookie', 'seen=1; Path=/');
      response.end(
        `<form method="post" action="/w/x/other"><input name="state" value="n"><input name="phone"></form>
         <form method='post' action="/w/x/sign-in?a=1&amp;b=2"><input type=hidden name=state value="s&#39;1">
         <input type="hidden" name="method" value="username"><input name="username"><input name="password" type="password">
         <label><input type="checkbox" name="agree" value="yes" required></label><button name="go" value="in">In</button></form>`,
      );
      return;
    }
    let body = '';
    request.on('data', chunk => (body += chunk));
    request.on('end', () => {
      const typed = new URLSearchParams(body);
      const isRight =
        url.search === '?a=1&b=2' &&
        typed.get('state') === "s'1" &&
        typed.get('agree') === 'yes' &&
        typed.get('go') === 'in' &&
        typed.get('password') === 'known' &&
        request.headers.cookie === 'seen=1';
      const ticket = new URLSearchParams({
        username: 'ticket',
        password: isRight ? 'hello' : 'refused',
        dst: 'http://x.invalid/',
      });
      if (isRight) response.writeHead(303, { location: `${login}?${ticket}` }).end();
      else response.end(`<p>No</p><a href="/w/x">Again</a>`);
    });
  });
  await new Promise<void>(resolve => portal.listen(0, '127.0.0.1', resolve));
  closing.push(() => portal.close());
  const captiveUrl = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
  const router = await startRouter({ nasIdentifier: 'sim00001', secret, radius: server.radius, captiveUrl });
  closing.push(router.close);
  const device = router.lease({ mac: '3C:06:30:00:00:01' });
  expect(await signInByPortal(router, device, { username: 'ayse', password: 'wrong' })).toBe('rejected');
  expect(await signInByPortal(router, device, { username: 'ayse', password: 'known' })).toBe('accepted');
  expect(router.session(device.mac)?.userName).toBe('ticket');
});

it('reads forms and links', () => {
  const page = {
    url: 'http://a.test/x/y',
    status: 200,
    html: '<a href="z?q=1&amp;r=2">z</a><form action=../f><input name=q value=1></form>',
  };
  expect(linksOf(page)).toEqual(['http://a.test/x/z?q=1&r=2']);
  expect(formsOf(page)).toMatchObject([{ action: 'http://a.test/f', method: 'GET' }]);
});

it('presses the button that submits the form, not one that leaves it for an agreement', () => {
  const html =
    '<form method=post><button name=go value=terms formnovalidate>Terms</button><button name=go value=in>Go</button></form>';
  const [form] = formsOf({ url: 'http://a.test/', status: 200, html });
  expect([...form!.fields]).toEqual([['go', 'in']]);
});
