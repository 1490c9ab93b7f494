import { webhookPayloads } from '@portico/contract/webhook-events.ts';
import sql from 'sql-template-tag';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { startVenue, type Venue } from '#features/guests/testing/venue.ts';
import { integrationJobs } from '#features/integrations/integrations.jobs.ts';
import { startReceiver } from '#features/integrations/testing/receiver.ts';
import { fileForm } from '#test/uploads.ts';
import { importJobs } from './imports.jobs.ts';

let venue: Venue;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  venue = await startVenue({ INTEGRATIONS_INSIDE: '1' });
  receiver = await startReceiver();
  const events = [
    'visitor.created',
    'import.created',
    'import.read',
    'import.failed',
    'import.started',
    'import.finished',
  ];
  const connection = { type: 'webhook', url: `${receiver.url}/hook`, events };
  const form = { name: 'CRM', location_id: venue.location, integration_id: 'webhook', params: { connection } };
  await venue.create('panel/integration', form);
}, 120_000);
beforeEach(async () => {
  await venue.run(sql`delete from webhook_deliveries`);
  receiver.requests.length = 0;
});

const job = (name: string) => importJobs.find(it => it.name === name)!.run(venue.api.app);
/** Five deliveries. */
const send = () => integrationJobs.find(it => it.name === 'webhooks')!.run(venue.api.app);
const received = () => receiver.requests.map(it => JSON.parse(it.body));
const types = () => received().map(it => it.type);
const people = (count: number, prefix: string) =>
  ['code,note', ...Array.from({ length: count }, (_, n) => `${prefix}-${n},Guest`)].join('\n');
async function upload(content: string, name = 'vouchers.csv') {
  const body = fileForm(content, { name, location_id: venue.location });
  const answer = await venue.api.post('panel/client-import', { token: venue.admin, body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

const start = async (id: string) =>
  expect((await venue.api.post(`panel/client-import/${id}/start`, { token: venue.admin })).status).toBe(202);

test('the end of an import, and a visitor of the front desk, come before the visitors of the import', async () => {
  const { id } = await upload(people(30, 'many'));
  await start(id);
  await job('run imports');
  await venue.visitor({ name: 'Desk' });
  await send();
  expect(types().sort()).toEqual([
    'import.created',
    'import.finished',
    'import.read',
    'import.started',
    'visitor.created',
  ]);
  expect(received().find(it => it.type === 'visitor.created').data.name).toBe('Desk');
  expect(received().find(it => it.type === 'import.finished').data).toMatchObject({ id, total: 30, created: 30 });
  for (let n = 0; n < 6; n++) await send();
  expect(types().slice(5)).toEqual(Array.from({ length: 30 }, () => 'visitor.created'));
});

test('visitors of a CSV file, and those made together, come after other events', async () => {
  const csv = ['name,method,username', ...Array.from({ length: 8 }, (_, n) => `Row,username,row-${n}`)].join('\n');
  const body = fileForm(csv, { name: 'a.csv', location_id: venue.location });
  const answer = await venue.api.post('panel/client/import', { token: venue.admin, language: 'en', body });
  expect(answer.status, answer.text).toBe(201);
  const together = { name: 'Row', provider_type: 'username', total_user: 8, location_id: venue.location };
  await venue.create('panel/client/bulk', together);
  await venue.visitor({ name: 'Desk' });
  await send();
  expect(received().map(it => it.data.name)).toContain('Desk');
  for (let n = 0; n < 3; n++) await send();
  expect(types()).toHaveLength(17);
});

test('import.read says what would happen, import.started begins at none', async () => {
  await venue.visitor({ username: 'known-0', name: 'Known' });
  await venue.run(sql`delete from webhook_deliveries`);
  const { id } = await upload(`${people(3, 'known')}\n${'x'.repeat(300)},Guest`);
  const list = await venue.api.get('panel/client-import', { token: venue.admin });
  expect(list.body.data[0]).toMatchObject({ id, state: 'ready', total: 4, created: 2, updated: 0, skipped: 2 });
  const choices = { existing: 'update', groups: [] };
  await venue.api.put(`panel/client-import/${id}`, { token: venue.admin, body: choices });
  const again = await venue.api.get('panel/client-import', { token: venue.admin });
  expect(again.body.data[0]).toMatchObject({ created: 2, updated: 1, skipped: 1 });
  await start(id);
  await job('run imports');
  await send();
  const of = (type: string) => received().find(it => it.type === type).data;
  expect(of('import.read')).toMatchObject({ id, total: 4, created: 2, updated: 0, skipped: 2, problem: null });
  expect(of('import.started')).toMatchObject({ created: 0, updated: 0, skipped: 0 });
  expect(of('import.finished')).toMatchObject({ created: 2, updated: 1, skipped: 1 });
  expect(types().filter(it => it === 'import.read')).toHaveLength(1);
});

test.each([
  ["INSERT INTO radacct (username) VALUES ('a');", 'session_columns'],
  ["INSERT INTO radacct (username, acctstarttime) VALUES ('a', '2026-01-01", 'import_quote'],
  ['select 1;', 'session_none'],
])('import.failed says why: %s', async (content, problem) => {
  const form = { location_id: venue.location, file_name: 'radacct.sql', bytes: content.length };
  const { id } = await venue.create('panel/client-import/sessions', form);
  const body = fileForm(content, { name: 'radacct.sql', starts_at: '0' });
  expect((await venue.api.post(`panel/client-import/${id}/part`, { token: venue.admin, body })).status).toBe(200);
  await job('read past sessions');
  await send();
  const told = received().find(it => it.type === 'import.failed').data;
  expect(told).toMatchObject({ id, problem, total: 0, created: 0 });
  expect(webhookPayloads['import.failed'].data.strict().parse(told)).toEqual(told);
});
