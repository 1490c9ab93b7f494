import { api } from '@portico/contract/api.ts';
import type { Endpoint } from '@portico/contract/endpoint.ts';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { openapi } from '#http/openapi.ts';
import type { Answer, Body } from './harness.ts';

const description: Body = openapi(api, 'https://wifi.example.org');
const ajv = new Ajv.default({ strict: false, validateFormats: true });
addFormats.default(ajv);
ajv.addSchema(description, 'api');

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
const validators = new Map<string, ValidateFunction>();

/** Expects that the JSON of an answer matches the schema in the published description. Other content is not described. */
export function expectSchema(endpoint: Endpoint, answer: Pick<Answer, 'status' | 'body' | 'headers'>): void {
  if (!answer.headers.get('content-type')?.includes('json')) return;
  const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
  const method = endpoint.method.toLowerCase();
  const response = description.paths[path][method].responses[answer.status];
  const at: string[] = response.$ref
    ? response.$ref.split('/').slice(1)
    : ['paths', path, method, 'responses', String(answer.status)];
  const pointer = [...at, 'content', 'application/json', 'schema']
    .map(part => encodeURIComponent(escaped(part)))
    .join('/');
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api#/${pointer}` });
  validators.set(pointer, validate);
  const found = validate(answer.body) ? [] : validate.errors!.map(it => `${it.instancePath} ${it.message}`);
  expect(found, `${endpoint.method} ${endpoint.path}`).toEqual([]);
}
