import { fileURLToPath } from 'node:url';
import { api as contract } from '@portico/contract/api.ts';
import { endpoints, statusesOf } from '@portico/contract/endpoint.ts';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import type { Body } from '#test/harness.ts';
import { openapi } from './openapi.ts';
import { withSamples } from './samples.ts';

const description = withSamples(openapi(contract, 'https://wifi.example.org'), contract) as Body;
const { schemas } = description.components;
const operationOf = (method: string, path: string): Body =>
  description.paths[path.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()];

test('is clean under the recommended rules of Redocly', async () => {
  const config = await loadConfig({ configPath: fileURLToPath(new URL('../../../redocly.yaml', import.meta.url)) });
  const problems = await lintFromString({ source: JSON.stringify(description), config });
  expect(problems.map(it => `${it.ruleId} ${it.location[0]?.pointer}: ${it.message}`)).toEqual([]);
});

test('describes every operation with a known tag, its access and every status', () => {
  const known = description.tags.map((it: Body) => it.name);
  for (const [name, endpoint] of endpoints(contract)) {
    const it = operationOf(endpoint.method, endpoint.path);
    expect(known, name).toContain(it.tags[0]);
    expect(it.description, name).not.toBe('');
    expect(Object.keys(it.responses), name).toEqual(statusesOf(endpoint).map(String));
  }
});

test('names its schemas, and keeps one name for what is the same in both directions', () => {
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Visitor', 'VisitorForm', 'Device', 'Problem']));
  expect(schemas.VisitorFormInput).toBeUndefined();
  // A field that a caller may leave out is always in the answer.
  expect(schemas.SpeedLimitInput.required).toBeUndefined();
  expect(schemas.SpeedLimit.required).toContain('value');
  const unnamed = [...endpoints(contract)].flatMap(([name, { method, path, body, upload }]) => {
    const schema = operationOf(method, path).requestBody?.content['application/json']?.schema;
    return body && !upload && !schema.$ref ? [name] : [];
  });
  expect(unnamed).toEqual([]);
});

test('has patterns without flags, which JSON Schema does not know', () => {
  const { pattern } = schemas.MacForm.properties.mac;
  for (const mac of ['a1:b2:c3:d4:e5:f6', 'A1-B2-C3-D4-E5-F6']) expect(mac).toMatch(new RegExp(pattern));
  expect('A1:B2:C3:D4:E5:F6:0').not.toMatch(new RegExp(pattern));
});
