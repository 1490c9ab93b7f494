import { type Endpoint, endpoints, statusesOf, type Tree, takesIdempotencyKey } from '@portico/contract/endpoint.ts';
import { problem, problems } from '@portico/contract/errors.ts';
import { permissions } from '@portico/contract/permissions.ts';
import { tags } from '@portico/contract/tags.ts';
import { type Example, examples } from './examples.ts';
import { createComponents, type Json, renamed } from './openapi-schemas.ts';
import { describeWebhooks } from './webhooks.ts';

type Components = ReturnType<typeof createComponents>;

const files = {
  csv: 'text/csv',
  text: 'text/plain',
  html: 'text/html',
  events: 'text/event-stream',
  file: 'application/octet-stream',
} as const;

/** The description of each refusal, by the name of its component. */
const refusals: Readonly<Record<number, { readonly name: string; readonly description: string }>> = {
  400: { name: 'BadRequest', description: 'The request cannot be read, for example because its JSON is broken.' },
  401: { name: 'NotSignedIn', description: 'The token is missing, has ended, or belongs to another tenant.' },
  403: { name: 'NotAllowed', description: 'The caller may not do this.' },
  404: {
    name: 'NotFound',
    description: 'There is no such thing, or the caller may not see it; or there is no such tenant.',
  },
  409: { name: 'Conflict', description: 'What is stored does not allow this. Nothing was changed.' },
  413: { name: 'TooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMedia', description: 'The body has another content type than the documented one.' },
  422: { name: 'Invalid', description: '`errors` names the fields and what is wrong with each. Nothing was changed.' },
  429: { name: 'TooMany', description: 'Too many requests. Wait as long as `Retry-After` says.' },
  500: { name: 'Broken', description: 'A fault of the server. Its log has the details under the `X-Request-Id`.' },
  503: { name: 'Away', description: 'The database is away, or the server is about to stop. Try again soon.' },
};

const headers: Readonly<Record<string, { readonly description: string; readonly schema: Json }>> = {
  'X-Request-Id': { description: 'Names the request in the log of the server.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'How many requests this address may make.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'How many of them are left.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Seconds until the count starts again.', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
  'Idempotency-Replayed': {
    description: '`true` when this is the stored answer of an earlier call with the same key.',
    schema: { type: 'string', enum: ['true'] },
  },
};
const headerRefs = (...names: string[]): Json =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
const limitHeaders = headerRefs('X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');

function success(endpoint: Endpoint, example: Example | undefined, components: Components): Json {
  const base = {
    description: endpoint.reply === 'none' ? 'Done; the answer is empty.' : 'Done.',
    headers: { ...limitHeaders, ...(takesIdempotencyKey(endpoint) && headerRefs('Idempotency-Replayed')) },
  };
  if (endpoint.reply === 'none') return base;
  const file = { schema: { type: 'string' } };
  if (typeof endpoint.reply === 'string') return { ...base, content: { [files[endpoint.reply]]: file } };
  const json = { schema: components.output(endpoint.reply) };
  const shown = example && { example: example.answer };
  if (endpoint.csvDownload)
    return { ...base, content: { 'application/json': json, 'text/csv': { ...file, ...shown } } };
  return { ...base, content: { 'application/json': { ...json, ...shown } } };
}

function parameters(endpoint: Endpoint, example: Example | undefined, components: Components): Json[] {
  return (['params', 'query'] as const).flatMap(part =>
    Object.entries(endpoint[part]?.shape ?? {}).map(([name, field]) => {
      const required = part === 'params' || !field.safeParse(undefined).success;
      const { description, ...schema } = components.input(field);
      const shown = part === 'query' ? example?.query?.[name] : undefined;
      return {
        name,
        in: part === 'params' ? 'path' : 'query',
        required,
        ...(description ? { description } : {}),
        schema,
        ...(shown === undefined ? {} : { example: exampleOf(schema, shown) }),
      };
    }),
  );
}

/** A value of a query as its schema has it: a number or a list as such. */
const exampleOf = (schema: Json, shown: string): unknown =>
  schema['type'] === 'integer' || schema['type'] === 'number'
    ? Number(shown)
    : schema['type'] === 'array'
      ? shown.split(',')
      : shown;

function body(endpoint: Endpoint, example: Example | undefined, components: Components): Json {
  const { body: schema, upload } = endpoint;
  if (upload) {
    const file = { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] };
    const fields = schema ? { allOf: [components.input(schema), file] } : file;
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: fields } } } };
  }
  if (!schema) return {};
  const json = { schema: components.input(schema), ...(example?.body === undefined ? {} : { example: example.body }) };
  const required = !schema.safeParse({}).success;
  return { requestBody: { required, content: { 'application/json': json } } };
}

const whoMay: Readonly<Record<string, string>> = {
  public: 'Anyone may call this.',
  'signed-in': 'Every signed-in caller may call this.',
  'tenant-admin': 'For tenant administrators.',
  'create-location': 'For tenant administrators and resellers.',
  'read-tenant': 'For tenant administrators and auditors.',
  'read-profiles': 'Needs the permission `view-clients` or `update-location` in the active team.',
  choose: 'For auditors, and callers with a permission that does more than view.',
  'read-location': 'For auditors, and callers with the permission `update-location`.',
};

/** Describes in sentences the rules that follow from the declaration of an endpoint. */
function describe(endpoint: Endpoint): string {
  const { access, description, csvDownload, location, method } = endpoint;
  const held = (permissions as readonly string[]).includes(access);
  const place = location ? 'in this location' : 'in the active team';
  return [
    description,
    held ? `Needs the permission \`${access}\` ${place}.` : whoMay[access],
    csvDownload && 'With `download=true` the answer is a CSV file with all rows.',
    endpoint.query?.shape['per_page'] && 'The answer is a page; see *Pages* in the guide.',
    method === 'PUT' && endpoint.body && 'Fields that are left out keep their value.',
    takesIdempotencyKey(endpoint) && 'Safe to repeat with the same `Idempotency-Key`.',
    endpoint.fresh && 'Each call gets a new answer; an `Idempotency-Key` has no effect.',
  ]
    .filter(Boolean)
    .join(' ');
}

/** A summary is a title: its first part. The rest goes into the description. */
function titleOf(summary: string): { title: string; rest: string } {
  const at = summary.indexOf(';');
  if (at < 0) return { title: summary, rest: '' };
  const rest = summary.slice(at + 1).trim();
  return { title: summary.slice(0, at), rest: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}.` };
}

function operation(name: string, endpoint: Endpoint, components: Components): Json {
  const example = examples[name];
  const open = endpoint.access === 'public';
  const { title, rest } = titleOf(endpoint.summary);
  const [done, ...all] = statusesOf(endpoint);
  const others = all.filter(status => status >= 400);
  return {
    operationId: name,
    summary: title,
    description: [rest, describe(endpoint)].filter(Boolean).join(' '),
    tags: [tagOf(name)],
    'x-access': endpoint.access,
    security: open ? [] : [{ token: [] }],
    parameters: [
      ...parameters(endpoint, example, components),
      ...(takesIdempotencyKey(endpoint) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...body(endpoint, example, components),
    responses: {
      [done!]: success(endpoint, example, components),
      ...(endpoint.creates && { 201: { ...success(endpoint, example, components), description: 'Created.' } }),
      ...Object.fromEntries(
        others.map(status => [status, { $ref: `#/components/responses/${refusals[status]!.name}` }]),
      ),
    },
  };
}

export const tagOf = (name: string): string => {
  const group = name.split('.')[0] as keyof typeof tags;
  return tags[group]?.title ?? group;
};

function refusalResponses(): Json {
  return Object.fromEntries(
    Object.entries(refusals).map(([status, { name, description }]) => {
      const codes = Object.entries(problems).filter(([, it]) => it.status === Number(status));
      const [code, { en }] = codes[0] as [string, { en: string }];
      const listed = `Values of \`code\`: ${codes.map(([it]) => `\`${it}\``).join(', ')}.`;
      const waits = status === '429' || status === '503';
      const fields = status === '422' && { errors: { name: ['This field is required.'] } };
      const shown = status === '422' ? { code: 'invalid', message: problems.invalid.en } : { code, message: en };
      return [
        name,
        {
          description: `${description} ${listed}`,
          headers: { ...limitHeaders, ...(waits && headerRefs('Retry-After')) },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Problem' },
              example: { message: shown.message, code: shown.code, ...fields },
            },
          },
        },
      ];
    }),
  );
}

const about = `Guest Wi-Fi for many tenants. Name the tenant with \`X-Tenant\`, or by the host name.
Sign in for a bearer token, or make a personal access token in the panel for your own software.

An address that does not exist gets 404, and another method than the documented ones 405 with \`Allow\`; both with a \`Problem\`.
The guide at [/docs](/docs) explains sign-in, pages, repeated calls, limits, errors and webhooks.`;

/** The OpenAPI 3.1 description of a tree of endpoints. */
export function openapi(tree: Tree, server: string): Json {
  const components = createComponents(tree);
  const paths: Record<string, Json> = {};
  const used = new Set<string>();
  for (const [name, endpoint] of endpoints(tree)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    const parts = {
      parameters: [{ $ref: '#/components/parameters/Tenant' }, { $ref: '#/components/parameters/Language' }],
    };
    (paths[path] ??= parts)[endpoint.method.toLowerCase()] = operation(name, endpoint, components);
    used.add(tagOf(name));
  }
  const webhooks = used.has(tags.integrations.title) && describeWebhooks(components, tags.integrations.title);
  const problemSchema = components.output(problem);
  const { schemas, merged } = components.finish();
  const description = {
    openapi: '3.1.0',
    info: {
      title: 'Portico',
      version: '1',
      description: about,
      contact: { name: 'Portico', url: `${server}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: server }],
    tags: Object.values(tags)
      .filter(({ title }) => used.has(title))
      .map(it => ({ name: it.title, description: it.about })),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      parameters: {
        Tenant: {
          name: 'X-Tenant',
          in: 'header',
          required: false,
          description: 'The slug of the tenant. Without it, the host name decides.',
          schema: { type: 'string' },
          example: 'panel',
        },
        Language: {
          name: 'Accept-Language',
          in: 'header',
          required: false,
          description: 'The language of messages: `tr` or `en`.',
          schema: { type: 'string' },
          example: 'en',
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'The same key and body within 24 hours get the first answer, with `Idempotency-Replayed: true`; another body gets 422.',
          schema: { type: 'string', maxLength: 64 },
          example: 'order-4821',
        },
      },
      headers,
      responses: refusalResponses(),
      schemas: problemSchema['$ref'] ? schemas : { ...schemas, Problem: problemSchema },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token of a sign-in, or a personal access token.' },
      },
    },
  };
  return renamed(description, merged);
}
