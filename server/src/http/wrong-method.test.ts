import { api as tree } from '@portico/contract/api.ts';
import { endpoints } from '@portico/contract/endpoint.ts';
import { beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '#test/harness.ts';

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await startApi({ RATE_LIMIT: '100000' });
  admin = (await api.user('tenant-admin')).token;
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

test('each path answers another method than its own with 405, and names its own', async () => {
  const documented = new Map<string, Set<string>>();
  for (const { path, method } of [...endpoints(tree)].map(([, it]) => it)) {
    const known = documented.get(path) ?? new Set();
    documented.set(path, known.add(method));
  }
  const wrong: string[] = [];
  let asked = 0;
  for (const [path, known] of documented) {
    const url = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000009');
    const wanted = [...known, ...(known.has('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
    for (const method of methods.filter(it => !known.has(it))) {
      asked += 1;
      // A user who may do everything, so that no refusal comes first.
      const headers = { authorization: `Bearer ${admin}`, 'x-tenant': 'panel' };
      const answer = await fetch(api.url + url, { method, headers });
      await answer.arrayBuffer();
      const allow = answer.headers.get('allow');
      if (answer.status !== 405 || allow !== wanted) wrong.push(`${method} ${path}: ${answer.status} ${allow}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(900);
});
