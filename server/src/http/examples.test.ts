import { api as tree } from '@portico/contract/api.ts';
import { endpoints } from '@portico/contract/endpoint.ts';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { startApi } from '#test/harness.ts';
import { examples } from './examples.ts';

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

test('stand in the description and on the page for readers', async () => {
  const api = await startApi();
  const { paths } = (await api.get('openapi.json')).body;
  expect(paths['/v1/panel/client/bulk'].post.requestBody.content['application/json'].example).toMatchObject({
    username: 'conf',
  });
  const sessions = paths['/v1/panel/reports/sessions'].get;
  expect(sessions.parameters).toContainEqual(expect.objectContaining({ name: 'download', example: 'true' }));
  expect(sessions.responses['200'].content['text/csv'].example).toMatch(/^User,Phone,MAC/);
  const tried = paths['/v1/panel/integration/test'].post.responses['200'].content['application/json'].example;
  expect(tried.data[0]).toEqual({ name: 'first_name', value: 'Ayşe' });
});
