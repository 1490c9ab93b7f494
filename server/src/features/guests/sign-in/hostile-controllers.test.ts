import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Interference } from '@portico/simulator/controllers/tls-json-server.ts';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sendMessages } from '#sms/sms.jobs.ts';
import type { Body } from '#test/harness.ts';
import { apiKey, follow as followAll, login, startControllers } from '../testing/controllers.ts';
import { cookiesOf, newGuestEachTest, stateOf, type Venue } from '../testing/venue.ts';

/** Seconds that a controller has to answer: more than a busy machine takes, and few where it never answers. */
const [patient, hasty] = [30, 1];

type Controllers = Awaited<ReturnType<typeof startControllers>>;

let venue: Venue;
let unifi: Controllers['unifi'];
let omada: Controllers['omada'];
let devices: Controllers['devices'];
beforeAll(async () => {
  ({ venue, unifi, omada, devices } = await startControllers({ COA_TIMEOUT: String(patient) }));
}, 120_000);
newGuestEachTest(() => venue);
const waitForControllers = (seconds: number) => Object.assign(venue.api.app.settings, { COA_TIMEOUT: seconds });
afterEach(() => {
  waitForControllers(patient);
  unifi.interfere(undefined);
  omada.interfere(undefined);
});

const controllerOf = (name: string) => (name === 'omada' ? omada : unifi);
const follow = () => followAll(venue);
const sessions = async (): Promise<Body[]> =>
  (await venue.api.get(`panel/onlines?mac=${venue.mac}`, { token: venue.admin })).body.data;
const grow = () =>
  venue.api.app.db.pool.query(`update online_sessions set started_at = started_at - interval '1 minute'`);

const signIn = async (name: string) => {
  const nas: string = devices[name]!['nas_identifier'];
  unifi.join(venue.mac);
  const query = name === 'omada' ? omada.arrival(venue.mac) : unifi.arrival(venue.mac);
  const page = await venue.captive.get(`/w/${nas}${name === 'omada' ? '' : '/guest/s/default/'}?${query}`);
  const typed = {
    state: stateOf(page.html),
    method: 'username',
    username: await venue.visitor(),
    password: 'parola 1',
  };
  return venue.captive.form(`/w/${nas}/sign-in`, typed);
};
const goOnline = async (name: string) => {
  const answer = await signIn(name);
  expect(answer.status, answer.html).toBe(303);
  const to = new URL(answer.headers.get('location')!);
  await venue.captive.get(to.pathname + to.search, { cookie: cookiesOf(answer) });
  expect(await sessions()).toHaveLength(1);
};
const testConnection = (name: string) => {
  const { port } = controllerOf(name);
  const account = name === 'unifi by key' ? { username: 'api-key', password: apiKey } : login;
  const at = `panel/device/${devices[name]!['id']}/connection/test`;
  return venue.api.post(at, { token: venue.admin, body: { host: '127.0.0.1', port, ...account } });
};

const megabytes = (response: ServerResponse, count: number, end: boolean): true => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.on('error', () => undefined);
  response.write('{"data":[');
  let left = count;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write('"'.padEnd(1_000_000, 'x') + '",')) return void response.once('drain', more);
    }
    if (end && !response.destroyed) response.end('""]}');
  };
  more();
  return true;
};
const says =
  (status: number, body: string, headers: Record<string, string> = {}): Interference =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    return true;
  };
/** Until the time is over, so these take long. */
const silent: Record<string, Interference> = {
  'never ends': (_, response) => megabytes(response, 1, false),
  'never answers': () => true,
};
/** Ways to misbehave. All requests are answered so, the sign-in to the controller too. */
const always: Record<string, Interference> = {
  'sends 10 MB': (_, response) => megabytes(response, 10, true),
  'closes the connection': request => {
    request.socket.destroy();
    return true;
  },
  'sends no JSON': says(200, '<html>maintenance</html>', { 'content-type': 'text/html' }),
  'sends JSON of another shape': says(200, '[1,[2],null]'),
  'sends null': says(200, 'null'),
  'sends nothing': says(200, ''),
  'redirects to an internal address': says(302, '', { location: 'http://127.0.0.1:1/' }),
  'says too many requests': says(429, '{"meta":{"rc":"error","msg":"api.err.TooMany"}}', { 'retry-after': '60' }),
  'says that it is broken': says(
    500,
    `{"message":"${'long '.repeat(10_000)}","meta":{"rc":"error","msg":"${'x\\u0000\\u202e'.repeat(1000)}"}}`,
  ),
  'says that the session is over': says(
    401,
    '{"meta":{"rc":"error","msg":"api.err.LoginRequired"},"message":"Unauthorized","errorCode":-1200,"msg":"Session expired."}',
  ),
  'sends endless headers': (_, response) => {
    response.writeHead(200, { 'x-long': 'y'.repeat(60_000) }).end('{}');
    return true;
  },
};
/** Only after it was signed in to. */
const later =
  (by: Interference): Interference =>
  (request, response) =>
    /login|\/info$/.test(request.url ?? '') ? false : by(request, response);

describe.each(['unifi', 'unifi by key', 'omada'])('%s', name => {
  test.each(Object.keys(always))(
    'that %s ends no session, and lets guests and operators know',
    async how => {
      await goOnline(name);
      await grow();
      const both = [always[how]!, later(always[how]!)];
      for (const interference of both) {
        controllerOf(name).interfere(interference);
        await follow();
        expect(await sessions(), 'its session').toHaveLength(1);
      }
      venue.newMac();
      for (const interference of both) {
        controllerOf(name).interfere(interference);
        const answer = await signIn(name);
        expect(answer.status, answer.html).toBe(422);
        expect(await sessions(), 'no session').toEqual([]);
      }
      for (const interference of both) {
        controllerOf(name).interfere(interference);
        const tested = await testConnection(name);
        // Omada's interface for portals tells its version before the sign-in, and nothing after it.
        if (name === 'omada' && interference !== always[how]) continue;
        expect(tested.status, tested.text).toBe(422);
        const [words] = Object.values<string[]>(tested.body.errors)[0]!;
        expect(words!.length).toBeLessThan(400);
        expect(words).not.toMatch(/\p{Cc}|\p{Cf}|undefined|\[object/u);
      }
      controllerOf(name).interfere(undefined);
      await goOnline(name);
    },
    60_000,
  );
});

test.each(Object.keys(silent))(
  'a controller that %s ends no session, and lets guests and operators know',
  async how => {
    await goOnline('unifi');
    await grow();
    waitForControllers(hasty);
    unifi.interfere(later(silent[how]!));
    await follow();
    expect(await sessions()).toHaveLength(1);
    venue.newMac();
    expect((await signIn('unifi')).status).toBe(422);
    unifi.interfere(silent[how]!);
    const tested = await testConnection('unifi');
    expect(tested.status, tested.text).toBe(422);
    expect(Object.keys(tested.body.errors)).toEqual(['host']);
  },
);

test('a list of guests is read to its end', async () => {
  for (let i = 0; i < 250; i += 1) unifi.join(`02:00:00:00:01:${i.toString(16).padStart(2, '0')}`);
  await goOnline('unifi by key');
  await grow();
  await follow();
  expect(await sessions()).toHaveLength(1);
});

/** Answers of the list of guests, or of the sites, that do not say that a guest has gone. */
const misleading: Record<string, { name: string; path: RegExp; body: object }> = {
  'no site': { name: 'unifi', path: /self\/sites/, body: { meta: { rc: 'ok' }, data: [] } },
  'a MAC of another form': {
    ...{ name: 'unifi', path: /stat\/guest/ },
    body: { meta: { rc: 'ok' }, data: [{ mac: 'aa-bb-cc-dd-ee-ff' }] },
  },
  'no site for the key': { name: 'unifi by key', path: /v1\/sites\?/, body: { totalCount: 0, data: [] } },
  'less than its total': { name: 'unifi by key', path: /clients\?/, body: { totalCount: 300, data: [] } },
  'the same page again': {
    ...{ name: 'unifi by key', path: /clients\?/ },
    body: { totalCount: 300, data: [{ id: '1', macAddress: '02:00:00:00:09:01', access: { authorized: false } }] },
  },
  'more than was asked for': {
    ...{ name: 'unifi by key', path: /clients\?/ },
    body: { totalCount: 300, data: Array.from({ length: 300 }, (_, n) => ({ id: String(n) })) },
  },
  'access of another form': {
    ...{ name: 'unifi by key', path: /clients\?/ },
    body: { totalCount: 1, data: [{ id: '1', macAddress: '02:00:00:00:09:01', access: { authorized: 'no' } }] },
  },
};

test.each(Object.keys(misleading))('a controller that lists %s ends no session', async how => {
  const { name, path, body } = misleading[how]!;
  await goOnline(name);
  await grow();
  // With its guest, each list would be one that says the guest has gone.
  const text = JSON.stringify(body).replaceAll('02:00:00:00:09:01', venue.mac.toLowerCase());
  const answer = says(200, text);
  let asked = 0;
  unifi.interfere((request, response) => {
    if (!path.test(request.url ?? '')) return false;
    asked += 1;
    return answer(request, response);
  });
  await follow();
  expect(asked).toBeGreaterThan(0);
  expect(await sessions()).toHaveLength(1);
});

test('a phone that sleeps keeps its session, until the controller no longer admits it', async () => {
  await goOnline('unifi by key');
  await grow();
  unifi.leave(venue.mac);
  await follow();
  expect(await sessions()).toHaveLength(1);
  unifi.join(venue.mac);
  unifi.guest(venue.mac)!.authorized = false;
  await follow();
  expect(await sessions()).toEqual([]);
});

test('a guest that the controller lists twice has one session, with the larger use', async () => {
  await goOnline('unifi');
  const guest = { mac: venue.mac.toLowerCase(), expired: false, rx_bytes: 10, tx_bytes: 20 };
  const list = [guest, { ...guest, rx_bytes: 1000, tx_bytes: 2000 }, { ...guest, rx_bytes: -1, tx_bytes: '5' }];
  const answer = says(200, JSON.stringify({ meta: { rc: 'ok' }, data: list }));
  unifi.interfere((request, response) => (request.url?.includes('stat/guest') ? answer(request, response) : false));
  await grow();
  await follow();
  expect(await sessions()).toMatchObject([{ upload: 1000, download: 2000 }]);
});

test('a controller that does not answer keeps no other waiting', async () => {
  await goOnline('unifi');
  venue.newMac();
  await goOnline('unifi by key');
  let waiting: { readonly request: IncomingMessage; readonly byKey: boolean } | undefined;
  let together = false;
  unifi.interfere((request, response) => {
    const byKey = request.headers['x-api-key'] !== undefined;
    waiting ??= { request, byKey };
    if (waiting.byKey === byKey) return true;
    together ||= !waiting.request.socket.destroyed;
    waiting.request.socket.destroy();
    return always['says that it is broken']!(request, response);
  });
  await follow();
  expect(together).toBe(true);
});

/** The code that was sent to a number. */
async function codeSentTo(phone: string): Promise<string> {
  await sendMessages(venue.api.app);
  const folder = path.join(venue.api.app.settings.DATA_DIR, 'outbox');
  const texts = readdirSync(folder).map(name => readFileSync(path.join(folder, name), 'utf8'));
  const text = texts.find(it => it.startsWith(`To: ${phone}\n`))!;
  return /\b(\d{6})\b/.exec(text.split('\n\n')[1]!)![1]!;
}
let phones = 1_000_000;

describe.each(['unifi', 'omada'])('%s', name => {
  test.each(['closes the connection', 'says that the session is over'])(
    'that %s costs the guest no code: the second press works',
    async how => {
      await venue.offer({ slug: 'sms' }, { slug: 'username' });
      const nas: string = devices[name]!['nas_identifier'];
      unifi.join(venue.mac);
      const query = name === 'omada' ? omada.arrival(venue.mac) : unifi.arrival(venue.mac);
      const arrival = await venue.captive.get(`/w/${nas}${name === 'omada' ? '' : '/guest/s/default/'}?${query}`);
      const phone = `+90532${++phones}`;
      const asked = { state: stateOf(arrival.html), method: 'sms', phone };
      const step = await venue.captive.form(`/w/${nas}/sign-in`, asked);
      const code = await codeSentTo(phone);
      const enter = (html: string) =>
        venue.captive.form(`/w/${nas}/sign-in`, { state: stateOf(html), method: 'sms', code });

      controllerOf(name).interfere(later(always[how]!));
      const failed = await enter(step.html);
      expect(failed.status, failed.html).toBe(422);
      expect(failed.html).toMatch(/The router did not let you in|The sign-in service is not answering/);
      controllerOf(name).interfere(undefined);

      // A problem with a page of its own has a link to the form.
      const link = /href="([^"]*step=form[^"]*)">To the sign-in page/.exec(failed.html)?.[1]?.replaceAll('&amp;', '&');
      const form = link ? await venue.captive.get(link, { cookie: cookiesOf(failed) }) : failed;
      expect(form.html).toContain('name="code"');
      const answer = await enter(form.html);
      expect(answer.status, answer.html).toBe(303);
      // Now it is used up.
      expect((await enter(form.html)).html).toContain('This code is no longer valid');
    },
  );
});
