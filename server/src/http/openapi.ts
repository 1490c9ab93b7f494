import { type Endpoint, endpoints, type Tree, takesIdempotencyKey } from '@portico/contract/endpoint.ts';
import { problem } from '@portico/contract/errors.ts';
import { z } from 'zod';
import { type Example, examples } from './examples.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' });
  return json;
};

const files = {
  csv: 'text/csv',
  text: 'text/plain',
  html: 'text/html',
  events: 'text/event-stream',
  file: 'application/octet-stream',
} as const;

function success(endpoint: Endpoint, example: Example | undefined): Json {
  if (endpoint.reply === 'none') return { description: 'Done' };
  if (typeof endpoint.reply === 'string')
    return { description: 'A file', content: { [files[endpoint.reply]]: { schema: { type: 'string' } } } };
  const json = { schema: schemaOf(endpoint.reply, 'output') };
  if (endpoint.csvDownload) {
    const file = { schema: { type: 'string' }, ...(example && { example: example.answer }) };
    return { description: 'Done', content: { 'application/json': json, 'text/csv': file } };
  }
  const shown = example ? { ...json, example: example.answer } : json;
  return { description: 'Done', content: { 'application/json': shown } };
}

function parameters(endpoint: Endpoint, example: Example | undefined): Json[] {
  return (['params', 'query'] as const).flatMap(part => {
    const schema = endpoint[part];
    if (!schema) return [];
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Json; required?: string[] };
    return Object.entries(properties).map(([name, it]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: part === 'params' || required.includes(name),
      schema: it,
      ...(part === 'query' && example?.query?.[name] !== undefined ? { example: example.query[name] } : {}),
    }));
  });
}

function body(endpoint: Endpoint, example: Example | undefined): Json {
  if (endpoint.upload) {
    const fields = endpoint.body ? (schemaOf(endpoint.body, 'input')['properties'] as Json) : {};
    const schema = {
      type: 'object',
      properties: { ...fields, file: { type: 'string', format: 'binary' } },
      required: ['file'],
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (!endpoint.body) return {};
  const schema = schemaOf(endpoint.body, 'input');
  const json = example?.body === undefined ? { schema } : { schema, example: example.body };
  return { requestBody: { required: true, content: { 'application/json': json } } };
}

const refused = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

function operation(name: string, endpoint: Endpoint): Json {
  const open = endpoint.access === 'public';
  const example = examples[name];
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [name.split('.')[0]],
    'x-access': endpoint.access,
    security: open ? [] : [{ token: [] }],
    parameters: [
      ...parameters(endpoint, example),
      ...(takesIdempotencyKey(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...body(endpoint, example),
    responses: {
      [endpoint.status ?? (endpoint.reply === 'none' ? 204 : 200)]: success(endpoint, example),
      ...(open ? {} : { 401: refused('Not signed in'), 403: refused('Not allowed') }),
      ...(endpoint.params ? { 404: refused('Not there, or out of sight') } : {}),
      ...(endpoint.body || endpoint.upload ? { 413: refused('Too large'), 415: refused('Another content type') } : {}),
      ...(endpoint.params || endpoint.query || endpoint.body ? { 422: refused('Some fields are not valid') } : {}),
    },
  };
}

/** The OpenAPI 3.1 description of a tree of endpoints. */
export function openapi(tree: Tree, server: string): Json {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of endpoints(tree)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operation(name, endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portico',
      version: '1',
      description:
        'Guest Wi-Fi for many tenants. Name the tenant with X-Tenant, or by the host name; sign in for a bearer token.',
    },
    servers: [{ url: server }],
    paths,
    components: {
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'The same key and body within 24 hours get the first answer, with `Idempotency-Replayed: true`; another body gets 422.',
          schema: { type: 'string', maxLength: 64 },
        },
      },
      schemas: { Problem: schemaOf(problem, 'output') },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}
