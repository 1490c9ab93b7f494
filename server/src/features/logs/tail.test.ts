import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { LogTailEvent } from '@portico/contract/logs.ts';
import { beforeAll, expect, test } from 'vitest';
import { formatRecord } from '#syslog/record.ts';
import { segmentFile } from '#syslog/segments.ts';
import { startApi, type TestApi } from '#test/harness.ts';
import { line, makeDevice, until } from './testing/fixture.ts';

let api: TestApi;
type Device = Awaited<ReturnType<typeof makeDevice>>;
let device: Device;

beforeAll(async () => {
  api = await startApi();
  device = await makeDevice(api, { nas: 'tail0001' });
});

/** Appends lines like the log listener. Text has one character per byte. */
function write({ tenantId, id }: Device, lines: readonly string[], segment = 0): void {
  const folder = path.join(api.app.settings.DATA_DIR, 'logs', tenantId, id, 'raw');
  mkdirSync(folder, { recursive: true });
  const text = lines.map(text => formatRecord({ at: Date.now(), source: '10.0.0.1', line: text })).join('');
  appendFileSync(segmentFile(folder, segment), text, 'latin1');
}

/** Opens the live view and collects its events. */
async function open(token: string, query = '', id = device.id) {
  const control = new AbortController();
  const response = await fetch(`${api.url}/v1/panel/device/${id}/logs/tail${query}`, {
    headers: { 'x-tenant': 'panel', authorization: `Bearer ${token}` },
    signal: control.signal,
  });
  const events: LogTailEvent[] = [];
  let ended = false;
  const reading = (async () => {
    if (!response.ok || !response.body) return;
    let text = '';
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
      text += part;
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      for (const event of whole) if (event.startsWith('data: ')) events.push(JSON.parse(event.slice(6)));
    }
  })()
    .catch(() => undefined)
    .finally(() => (ended = true));
  return {
    status: response.status,
    lines: () => events.flatMap(event => event.lines),
    skipped: () => events.some(event => event.skipped),
    connected: () => events.length > 0,
    ended: () => ended,
    async close() {
      control.abort();
      await reading;
    },
  };
}

test('shows the last lines and new ones', async () => {
  const { token } = await api.user('tenant-admin');
  const device = await makeDevice(api, { nas: 'tail0006' });
  write(device, [line.firewall(), line.dhcp(), line.proxy('www.example.org')]);
  const view = await open(token, '', device.id);
  await until(() => view.lines().length === 3);
  expect(view.lines().map(each => each.type)).toEqual(['firewall', 'dhcp', 'proxy']);
  expect(view.lines()[0]).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    source: '10.0.0.1',
    type: 'firewall',
    text: line.firewall(),
  });
  write(device, [Buffer.from('what is this: çay').toString('latin1'), '\x00\xff junk']);
  await until(() => view.lines().length === 5);
  expect(view.lines().slice(3)).toMatchObject([
    { type: 'other', text: 'what is this: çay' },
    { type: 'other', text: '\x00\ufffd junk' },
  ]);
  // The next hour has another segment.
  const size = (await import('node:fs')).statSync(
    segmentFile(path.join(api.app.settings.DATA_DIR, 'logs', device.tenantId, device.id, 'raw'), 0),
  ).size;
  write(device, [line.dhcp()], size);
  await until(() => view.lines().length === 6);
  await view.close();
  const { data } = (await api.get('panel/audit?subject_type=log-tail&search=tail0006', { token })).body;
  expect(data).toMatchObject([{ verb: 'export', subject: { name: 'tail0006' } }]);
});

test('shows only lines that match the filter', async () => {
  const { token } = await api.user('tenant-admin');
  const other = await makeDevice(api, { nas: 'tail0002' });
  const view = await open(token, '?types=proxy,dhcp&search=EXAMPLE.org', other.id);
  await until(view.connected);
  write(other, [line.firewall(), line.dhcp(), line.proxy('www.example.org'), line.proxy('example.com')]);
  await until(() => view.lines().length > 0);
  write(other, [line.proxy('last.example.org')]);
  await until(() => view.lines().length === 2);
  expect(view.lines().map(each => each.text)).toEqual([line.proxy('www.example.org'), line.proxy('last.example.org')]);
  await view.close();
});

test('skips lines of a flood and reports that', async () => {
  const { token } = await api.user('tenant-admin');
  const busy = await makeDevice(api, { nas: 'tail0003' });
  const view = await open(token, '', busy.id);
  await until(view.connected);
  write(
    busy,
    Array.from({ length: 20_000 }, (_, i) => `${line.firewall()} ${i}`),
  );
  await until(() => view.lines().some(each => each.text.endsWith(' 19999')));
  expect(view.skipped()).toBe(true);
  expect(view.lines().length).toBeLessThan(5000);
  await view.close();
});

test('limits the open views of one user; a closed one frees its slot', async () => {
  const { token } = await api.user('tenant-admin');
  const views = await Promise.all([open(token), open(token), open(token)]);
  expect(views.map(view => view.status)).toEqual([200, 200, 200]);
  expect((await open(token)).status).toBe(429);
  const someoneElse = await open((await api.user('tenant-admin')).token);
  expect(someoneElse.status).toBe(200);
  await views[0]!.close();
  await until(async () => {
    const again = await open(token);
    await again.close();
    return again.status === 200;
  });
  await Promise.all([...views, someoneElse].map(view => view.close()));
});

test('is open only to users who may see the device, and ends with their sign-in', async () => {
  const second = await makeDevice(api, { nas: 'tail0004', location: device.location });
  const elsewhere = await makeDevice(api, { nas: 'tail0005' });
  const limited = await api.user('member', { location: device.location, deviceIds: [second.id] });
  const neighbour = await api.user('member', { location: elsewhere.location });
  const without = await api.user('member', { location: device.location, permissions: ['view-clients'] });
  const viewer = await api.user('member', { location: device.location, permissions: ['view-devices'] });
  expect((await open('')).status).toBe(401);
  expect((await open(limited.token)).status).toBe(404);
  expect((await open(neighbour.token)).status).toBe(404);
  expect((await open(without.token)).status).toBe(403);
  expect((await open(viewer.token, '?types=sql')).status).toBe(422);
  expect((await open(viewer.token, '', 'nonsense')).status).toBe(404);
  const view = await open(viewer.token);
  await until(view.connected);
  const same = await open(viewer.token);
  await api.delete('oauth/tokens/current', { token: viewer.token });
  await until(() => view.ended() && same.ended());
});
