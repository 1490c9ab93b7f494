import { openRouterOs, type RouterOs } from '@portico/simulator/router-os/router-os.ts';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Body, startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let token: string;
let location: string;
let brand: string;
beforeAll(async () => {
  api = await startApi();
  token = (await api.user('tenant-admin')).token;
  location = await api.location(token, 'Otel');
  const brands = (await api.get('panel/device/brands', { token })).body.data;
  brand = brands.find((it: Body) => it.slug === 'mikrotik').id;
});

const form = {
  gateway_interface: 'ether1',
  gateway_ip: '192.168.88.2',
  hotspot_address: '10.5.50.1',
  hotspot_subnet: '24',
  guestInterfaces: ['ether2'],
};
let made = 0;
const device = async (): Promise<Body> => {
  made += 1;
  const mac_address = `02CD000000${String(made).padStart(2, '0')}`;
  const body = { brand_id: brand, name: `Router ${made}`, mac_address, location_id: location };
  return (await api.post('panel/device', { token, body })).body.data;
};
/** The script contains a public address that leads nowhere in a test. The router resolves it to the test server. */
const script = async (id: string): Promise<string> => {
  const { text } = await api.post(`panel/device/mikrotik/script/${id}`, { token, body: form });
  return text.replaceAll(api.app.settings.PUBLIC_URL, api.url);
};
/** The token with which the script of a router polls. */
const tokenOf = async (id: string): Promise<string> => /x-portico-token: ([\w-]+)/.exec(await script(id))![1]!;
const open: RouterOs[] = [];
afterAll(async () => {
  for (const router of open) await router.close();
});
const polling = async (id: string, version = '6.49.10 (long-term)'): Promise<RouterOs> => {
  const router = await openRouterOs({ version });
  open.push(router);
  router.paste(await script(id));
  return router;
};
/** The panel also puts its own address into fetched scripts. */
const withTestUrl = async <T>(work: () => Promise<T>): Promise<T> => {
  const real = globalThis.fetch;
  globalThis.fetch = (input, init) => real(String(input).replace(api.app.settings.PUBLIC_URL, api.url), init);
  try {
    return await work();
  } finally {
    globalThis.fetch = real;
  }
};
const block = (id: string, mac: string, type = 'blocked') =>
  api.post(`panel/device/${id}/macs`, { token, body: { mac, type } });
const commands = async (id: string): Promise<Body[]> =>
  (await api.get(`panel/device/${id}/commands?per_page=100`, { token })).body.data;
const shown = (router: RouterOs) => router.bindings().map(it => `${it['mac-address']} ${it['type']}`);

describe('a router that polls for its commands', () => {
  test('gets the waiting commands, runs them and reports the results', async () => {
    const { id } = await device();
    await block(id, 'A0:00:00:00:00:01');
    const router = await polling(id);
    const macs = Array.from({ length: 30 }, (_, i) => `B0:00:00:00:00:${String(i + 10)}`);
    for (const mac of macs) await block(id, mac, 'bypassed');
    const asked = await withTestUrl(() => router.poll());
    // A RouterOS variable holds 4 KB, so there were several scripts.
    expect(asked).toMatchObject({ status: 200 });
    expect(asked.scripts).toBeGreaterThan(2);
    expect(shown(router)).toEqual(['A0:00:00:00:00:01 blocked', ...macs.map(mac => `${mac} bypassed`)]);
    expect((await commands(id)).every(it => it.state === 'done' && it.driver === 'poll')).toBe(true);
    expect((await withTestUrl(() => router.poll())).scripts).toBe(0);
    expect((await api.get(`panel/device/${id}`, { token })).body.data).toMatchObject({
      router_version: '6.49.10',
      status: 'online',
      polled_at: expect.any(String),
    });
    await api.patch(`panel/device/${id}/management/disableHotspot`, { token });
    await withTestUrl(() => router.poll());
    expect(router.bindings().filter(it => it['disabled'] === 'true')).toHaveLength(30);
  });

  test('gets them again if the response was lost, and its errors are shown', async () => {
    const { id } = await device();
    const router = await polling(id);
    await block(id, 'A0:00:00:00:00:01');
    await withTestUrl(() => router.poll({ answers: false }));
    expect((await commands(id))[0]).toMatchObject({ state: 'sent', driver: 'poll', attempts: 1 });
    await withTestUrl(() => router.poll());
    expect(shown(router)).toEqual(['A0:00:00:00:00:01 blocked']);
    expect((await commands(id))[0]).toMatchObject({ state: 'done', attempts: 2 });
    router.refuseNext('failure');
    await block(id, 'A0:00:00:00:00:02');
    await block(id, 'A0:00:00:00:00:03');
    await withTestUrl(() => router.poll());
    expect((await commands(id)).map(it => [it.state, it.words])).toEqual([
      ['done', ''],
      [
        'failed',
        // RouterOS 6 reports which line failed, but not why.
        'stopped at: /ip hotspot ip-binding add mac-address="A0:00:00:00:00:02" type=blocked disabled=no comment="portico"',
      ],
      ['done', ''],
    ]);
    await block(id, 'A0:00:00:00:00:04');
    for (let i = 0; i < 12; i += 1) await withTestUrl(() => router.poll({ answers: false }));
    expect((await commands(id))[0]).toMatchObject({ state: 'sent', attempts: 12 });
    await withTestUrl(() => router.poll({ answers: false }));
    expect((await commands(id))[0]).toMatchObject({ state: 'failed', words: 'the router never confirmed it' });
  });

  test('reports an error text that is cut within a character', async () => {
    const { id, nas_identifier: nas } = await device();
    const headers = { 'x-portico-token': await tokenOf(id) };
    await block(id, 'A0:00:00:00:00:01');
    await api.get(`device/poll/${nas}?version=7.18`, { headers });
    const [command] = await commands(id);
    const query = new URLSearchParams({
      done: '',
      failed: `${command.id},`,
      words: `${command.id} ${'x'.repeat(299)}😀`,
    });
    const answer = await api.get(`device/poll/${nas}/answer?${query}`, { headers });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await commands(id)).toMatchObject([{ state: 'failed', words: 'x'.repeat(299) }]);
  });

  test('reports its own error text since RouterOS 7.15, and runs the command when it is sent again', async () => {
    const { id } = await device();
    const router = await polling(id, '7.18.2 (stable)');
    const words = 'failure: already have such entry & more, 100 % (/ip/hotspot/ip-binding/add; line 6)';
    router.refuseNext(words);
    await block(id, 'A0:00:00:00:00:01');
    await block(id, 'A0:00:00:00:00:02');
    await withTestUrl(() => router.poll());
    const [second, first] = await commands(id);
    expect([second, first]).toMatchObject([
      { state: 'done', words: '', driver: 'poll' },
      { state: 'failed', words, driver: 'poll', attempts: 1 },
    ]);
    await api.post(`panel/device/${id}/commands/${first.id}/retry`, { token });
    router.refuseNext('x'.repeat(500));
    await withTestUrl(() => router.poll());
    expect((await commands(id))[1]).toMatchObject({ state: 'failed', words: 'x'.repeat(160) });
    await api.post(`panel/device/${id}/commands/${first.id}/retry`, { token });
    await withTestUrl(() => router.poll());
    expect((await commands(id)).map(it => [it.state, it.words])).toEqual([
      ['done', ''],
      ['done', ''],
    ]);
    expect(shown(router).sort()).toEqual(['A0:00:00:00:00:01 blocked', 'A0:00:00:00:00:02 blocked']);
  });

  test.each(['7.1.5 (stable)', '7.12.1 (stable)', '7.14.3 (stable)'])(
    'of RouterOS %s is spared what it would not understand',
    async version => {
      const { id } = await device();
      const router = await polling(id, version);
      router.refuseNext('failure');
      await block(id, 'A0:00:00:00:00:01');
      await withTestUrl(() => router.poll());
      expect((await commands(id))[0]).toMatchObject({
        state: 'failed',
        words: expect.stringMatching(/^stopped at: .*ip-binding add/),
      });
    },
  );

  test('can report one line of text per command, and only for its own commands', async () => {
    const { id, nas_identifier } = await device();
    await block(id, 'A0:00:00:00:00:01');
    const own = await tokenOf(id);
    const headers = { 'x-portico-token': own };
    const at = `/v1/device/poll/${nas_identifier}`;
    await api.get(`${at}?version=7.18.2`, { headers });
    const [{ id: command }] = await commands(id);
    const say = (said: Record<string, string>) =>
      api.get(`${at}/answer?${new URLSearchParams(said)}`, { headers }).then(it => it.status);
    // Texts without a failure, a line that does not exist, and invalid ids.
    expect(await say({ words: `${command} made up` })).toBe(204);
    expect((await commands(id))[0]).toMatchObject({ state: 'sent', words: '' });
    expect(await say({ failed: `x,${command}.x,,${command}.999`, words: 'nonsense\n\n \n' })).toBe(204);
    expect((await commands(id))[0].state).toBe('sent');
    expect(await say({ words: 'x'.repeat(16_001) })).toBe(422);
    expect(await say({ failed: `${command}.99`, words: `${command} a\tb\u0007${'c'.repeat(400)}\nrest` })).toBe(204);
    const [after] = await commands(id);
    expect(after).toMatchObject({ state: 'failed', words: `a b ${'c'.repeat(296)}` });
  });

  test('gets its complete state after it was set up again', async () => {
    const { id } = await device();
    const before = await polling(id);
    await block(id, 'A0:00:00:00:00:01');
    await api.patch(`panel/device/${id}/management/disableHotspot`, { token });
    await block(id, 'A0:00:00:00:00:02', 'bypassed');
    await withTestUrl(() => before.poll());
    const after = await polling(id);
    await withTestUrl(() => after.poll());
    expect(shown(after).sort()).toEqual(shown(before).sort());
    expect(after.bindings().filter(it => it['disabled'] === 'true')).toHaveLength(1);
    expect((await withTestUrl(() => after.poll())).scripts).toBe(0);
  });

  test('needs its own token; the first poll of a newer script invalidates older tokens', async () => {
    const [one, two] = [await device(), await device()];
    const old = await polling(one.id);
    const other = await polling(two.id);
    await block(one.id, 'A0:00:00:00:00:01');
    const at = `/v1/device/poll/${one.nas_identifier}`;
    const theirs = await tokenOf(two.id);
    for (const headers of [
      {},
      { 'x-portico-token': theirs },
      { 'x-portico-token': 'x'.repeat(43) },
      { 'x-portico-token': "' or 1" },
    ]) {
      expect((await api.get(at, { headers })).status).toBe(401);
      const [{ id }] = await commands(one.id);
      expect((await api.get(`${at}/answer?done=${id}`, { headers })).status).toBe(401);
    }
    expect((await api.get('/v1/device/poll/unknown00', { headers: { 'x-portico-token': theirs } })).status).toBe(401);
    expect((await commands(one.id))[0].state).toBe('queued');
    // A router cannot report results of another router's commands.
    const [{ id }] = await commands(one.id);
    const foreign = { headers: { 'x-portico-token': theirs } };
    expect((await api.get(`/v1/device/poll/${two.nas_identifier}/answer?done=${id},x,${id}`, foreign)).status).toBe(
      204,
    );
    expect((await commands(one.id))[0].state).toBe('queued');
    const newer = await polling(one.id);
    expect((await withTestUrl(() => old.poll())).status).toBe(200);
    expect((await withTestUrl(() => newer.poll())).status).toBe(200);
    expect((await withTestUrl(() => old.poll())).status).toBe(401);
    expect((await withTestUrl(() => other.poll())).status).toBe(200);
    const stored = await api.inTenant(tx =>
      tx.one<{ row: string }>(sql`select d::text as row from devices d where id = ${two.id}`),
    );
    expect(stored.row).not.toContain(theirs);
  });

  test('gets no text that RouterOS would run as a command', async () => {
    const { id, nas_identifier } = await device();
    await block(id, 'A0:00:00:00:00:01');
    const own = await tokenOf(id);
    const at = `/v1/device/poll/${nas_identifier}`;
    const answer = await api.get(`${at}?version=7.1%22;/user%20add`, { headers: { 'x-portico-token': own } });
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(answer.text).not.toContain('/user');
    const [{ id: command }] = await commands(id);
    expect(answer.text.split('\n')).toEqual([
      ':local done ""',
      ':local failed ""',
      ':local at 0',
      ':do {',
      ':set at 0',
      '/ip hotspot ip-binding remove [find where mac-address="A0:00:00:00:00:01" and comment="portico"]',
      ':set at 1',
      '/ip hotspot ip-binding add mac-address="A0:00:00:00:00:01" type=blocked disabled=no comment="portico"',
      ':set at 2',
      '/ip hotspot active remove [find where mac-address="A0:00:00:00:00:01"]',
      ':set at 3',
      '/ip hotspot host remove [find where mac-address="A0:00:00:00:00:01"]',
      `:set done ($done . "${command},")`,
      `} on-error={ :set failed ($failed . "${command}." . $at . ",") }`,
      `/tool fetch url=("http://localhost:8080/v1/device/poll/${nas_identifier}/answer\\?done=" . $done . "&failed=" . $failed) http-header-field="x-portico-token: ${own}" output=none`,
      '',
    ]);
    expect((await api.get(`panel/device/${id}`, { token })).body.data.router_version).toBeNull();
    const newer = await api.get(`${at}?version=7.18.2`, { headers: { 'x-portico-token': own } });
    expect(newer.text.split('\n')).toEqual([
      ':local done ""',
      ':local failed ""',
      ':local words ""',
      ':onerror e in={',
      '/ip hotspot ip-binding remove [find where mac-address="A0:00:00:00:00:01" and comment="portico"]',
      '/ip hotspot ip-binding add mac-address="A0:00:00:00:00:01" type=blocked disabled=no comment="portico"',
      '/ip hotspot active remove [find where mac-address="A0:00:00:00:00:01"]',
      '/ip hotspot host remove [find where mac-address="A0:00:00:00:00:01"]',
      `:set done ($done . "${command},")`,
      '} do={',
      `:set failed ($failed . "${command},")`,
      `:set words ($words . "${command} " . [:pick $e 0 160] . "\\n")`,
      '}',
      ':if ([:len $words] > 0) do={ :set words [:convert to=url $words] }',
      `/tool fetch url=("http://localhost:8080/v1/device/poll/${nas_identifier}/answer\\?done=" . $done . "&failed=" . $failed . "&words=" . $words) http-header-field="x-portico-token: ${own}" output=none`,
      '',
    ]);
  });
});
