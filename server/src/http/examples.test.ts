import { api as tree } from '@portico/contract/api.ts';
import { endpoints } from '@portico/contract/endpoint.ts';
import { webhookEvents } from '@portico/contract/integration-names.ts';
import { webhookPayloads } from '@portico/contract/webhook-events.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { type Body, startApi } from '#test/harness.ts';
import { examples } from './examples.ts';
import { openapi } from './openapi.ts';
import { withSamples } from './samples.ts';
import { exampleOf } from './webhooks.ts';

const known = new Map(endpoints(tree));

test('every example is a call that would be taken, and the answer that it would get', () => {
  for (const [name, { query = {}, body, answer }] of Object.entries(examples)) {
    const endpoint = known.get(name)!;
    expect(endpoint, name).toBeDefined();
    if (endpoint.query) expect(endpoint.query.strict().safeParse(query).error?.issues, `${name} query`).toBeUndefined();
    if (endpoint.body) expect(endpoint.body.safeParse(body).error?.issues, `${name} body`).toBeUndefined();
    if (typeof answer === 'string') continue;
    expect((endpoint.reply as z.ZodType).safeParse(answer).error?.issues, `${name} answer`).toBeUndefined();
  }
});

test('every operation of the description has an example of its body and its answer, which the contract takes', () => {
  const { paths } = withSamples(openapi(tree, 'https://wifi.example.org'), tree) as Body;
  for (const [name, { method, path, body, upload, reply }] of known) {
    const described = paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];
    const sent = described.requestBody?.content['application/json']?.example;
    if (body && !upload) expect(sent, `${name} body`).toBeDefined();
    if (body && !upload) expect(body.safeParse(sent).error?.issues, `${name} body`).toBeUndefined();
    if (typeof reply === 'string') continue;
    const answered = ['200', '201', '202'].filter(status => described.responses[status]);
    expect(answered, name).not.toEqual([]);
    for (const status of answered) {
      const answer = described.responses[status].content['application/json']?.example;
      expect(answer, `${name} ${status}`).toBeDefined();
      expect(reply.safeParse(answer).error?.issues, `${name} ${status}`).toBeUndefined();
    }
  }
});

test('the example of every event is what a webhook gets', () => {
  for (const event of webhookEvents)
    expect(webhookPayloads[event].data.strict().safeParse(exampleOf(event).data).error?.issues, event).toBeUndefined();
});

test('stand in the description and on the page for readers, which needs no other server', async () => {
  const api = await startApi();
  const page = await api.get('/docs');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  for (const { id } of Object.keys(examples).map(name => ({ id: `id="${name}"` }))) expect(page.text).toContain(id);
  expect(page.text).toContain('&#34;username&#34;: &#34;conf&#34;');
  expect(page.text).toContain('<h2 id="webhooks">Webhooks</h2>');
  expect(page.text).not.toMatch(/(src|href)="https?:\/\/(?!www\.standardwebhooks\.com)|style="|<script>/);
  for (const event of webhookEvents) expect(page.text).toContain(`<code>${event}</code>`);
  for (const [, target] of page.text.matchAll(/href="#([^"]+)"/g)) expect(page.text).toContain(`id="${target}"`);
  const { paths } = (await api.get('openapi.json')).body;
  expect(paths['/v1/panel/client/bulk'].post.requestBody.content['application/json'].example).toMatchObject({
    username: 'conf',
  });
  const { webhooks } = (await api.get('openapi.json')).body;
  expect(Object.keys(webhooks)).toEqual(webhookEvents);
  expect(webhooks['visitor.updated'].post.requestBody.content['application/json'].example.data.changed).toContain(
    'room_number',
  );
  const sessions = paths['/v1/panel/reports/sessions'].get;
  expect(sessions.parameters).toContainEqual(expect.objectContaining({ name: 'download', example: 'true' }));
  expect(sessions.responses['200'].content['text/csv'].example).toMatch(/^User,Phone,MAC/);
  const tried = paths['/v1/panel/integration/test'].post.responses['200'].content['application/json'].example;
  expect(tried.data[0]).toEqual({ name: 'first_name', value: 'Ayşe' });
});
