import { endpoints, type Tree } from '@portico/contract/endpoint.ts';
import type { Json } from './openapi-schemas.ts';

/** Examples that are made from schemas, for the operations that have none written by hand (examples.ts). */

const at = '2026-11-20T15:30:00.000Z';
const id = '01a1fa3e-d091-73ee-b6c6-e51adeeae565';

/** Values of fields by their names. One that its schema does not allow is not used. */
const values: Readonly<Record<string, unknown>> = {
  id,
  hid: 'DNZ-4821',
  location_id: '01a1fa3e-c7c1-712a-90d0-092a3852718a',
  device_id: '01a1fa3e-cdf1-703d-ad31-9b554b6d0ac9',
  visitor_id: '01a1fa3e-cbc1-7ef6-927f-4ddfcfc807e8',
  profile_id: '01a1fa3e-d2a4-7c1b-8f2e-6a0b9d5c4e11',
  name: 'Lobby',
  full_name: 'Deniz Ak',
  first_name: 'Deniz',
  last_name: 'Ak',
  email: 'deniz@example.com',
  new_email: 'deniz.ak@example.com',
  phone: '+90 555 000 00 00',
  phone_number: '+90 555 000 00 00',
  password: 'a long password 9',
  password_confirmation: 'a long password 9',
  current_password: 'their password',
  code: '123456',
  token: 'qv0m1Tn8Zx2KpL4s',
  username: 'ada',
  room_number: '204',
  mac: 'A1:B2:C3:D4:E5:10',
  mac_address: 'A1:B2:C3:D4:E5:10',
  ip: '10.9.0.5',
  client_ip: '10.9.0.5',
  nas_identifier: 'n8cb3gutq43v',
  time_zone: 'Europe/Istanbul',
  city: 'İzmir',
  country: 'TR',
  address: 'Kordon 12',
  language: 'en',
  languages: ['en', 'tr'],
  currency: 'eur',
  url: 'https://hooks.example.com/portico',
  issuer: 'https://login.example.com',
  host: 'wifi.example.com',
  domains: ['example.com'],
  color: '#0f766e',
  user_agent: 'Mozilla/5.0',
  browser: 'Firefox',
  os: 'Linux',
  path: '/v1/panel/…',
  ssid: 'Guests',
  prefix: 'Table',
  content: 'Good morning',
  message: 'Done.',
  label: 'Acme',
  time: '07:00',
  from_time: '07:00',
  to_time: '10:00',
  external_id: 'hotel-12',
  weekdays: [1, 2, 3, 4, 5],
  reports: ['visits'],
  recipients: ['deniz@example.com'],
  starts_on: '2026-11-20',
  ends_on: '2026-11-22',
  start_ip: '10.20.0.10',
  finish_ip: '10.20.3.250',
  hotspot_address: '10.20.0.1',
  gateway_ip: '192.0.2.2',
  gateway_interface: 'ether1',
  hotspot_subnet: '255.255.252.0',
  subnet: '22',
  own_languages: [],
  available_providers: ['username'],
  options: {},
  portal_id: id,
  role_id: id,
  survey_id: id,
  emergency_user_id: id,
  first: '/v1/panel/…?page=1',
  last: '/v1/panel/…?page=1',
  next: null,
  prev: null,
  suspended_at: null,
  suspended_by: null,
  landing_background: 'linear-gradient(135deg, #0f766e, #134e4a)',
  portal_logo: null,
  dark_logo: null,
  background_image: null,
  favicon: null,
};

/** Names by what has them: a field, or the group of an operation. */
const names: Readonly<Record<string, string>> = {
  location: 'Çınar Otel',
  locations: 'Çınar Otel',
  customers: 'Çınar Otel',
  visitor: 'Ada Deniz',
  visitors: 'Ada Deniz',
  profile: 'Guests',
  profiles: 'Guests',
  portal: 'Summer',
  portals: 'Summer',
  integrations: 'CRM',
  vouchers: 'Congress',
  packages: 'Fast',
  printers: 'Reception',
  roles: 'Night shift',
  radiusProxies: 'Headquarters',
  reportMails: 'Weekly',
  qrMenu: 'Breakfast',
  tenants: 'Acme',
  brand: 'MikroTik',
  model: 'hAP ax²',
};

/** Bodies that the rules beyond their schemas decide, and those that are read most. */
const bodies: Readonly<Record<string, unknown>> = {
  'customers.extend': { ids: [id], license_end_at: '2027-12-31' },
  'devices.create': {
    name: 'Lobby',
    location_id: values['location_id'],
    brand_id: '0b0a0000-0000-4000-8000-000000000001',
    mac_address: 'A1:B2:C3:D4:E5:10',
  },
  'devices.update': { name: 'Lobby, second floor' },
  'devices.putByExternalId': {
    name: 'Lobby',
    location_id: values['location_id'],
    brand_id: '0b0a0000-0000-4000-8000-000000000001',
    mac_address: 'A1:B2:C3:D4:E5:10',
  },
  'devices.networks.update': { name: 'Garden' },
  'identity.find': { address: '10.9.0.5', at, reason: '2026/4821' },
  'identity.pdf': { address: '10.9.0.5', at, reason: '2026/4821' },
  'integrations.create': {
    name: 'CRM',
    location_id: values['location_id'],
    integration_id: 'webhook',
    params: {
      connection: {
        type: 'webhook',
        url: 'https://hooks.example.com/portico',
        events: ['guest.online', 'guest.offline', 'visitor.created'],
      },
    },
  },
  'locations.create': { name: 'Çınar Otel', city: 'İzmir', time_zone: 'Europe/Istanbul' },
  'locations.update': { name: 'Çınar Otel', city: 'İzmir' },
  'locations.putByExternalId': { name: 'Çınar Otel', city: 'İzmir', time_zone: 'Europe/Istanbul' },
  'locations.license': { license_end_at: '2027-12-31' },
  'logSources.trust': { address: '192.0.2.2' },
  'portals.create': { name: 'Summer', location_id: values['location_id'], color_scheme: 'dark' },
  'portals.update': { name: 'Summer', color_scheme: 'dark' },
  'portals.putByExternalId': { name: 'Summer', location_id: values['location_id'], color_scheme: 'dark' },
  'portals.saveDraft': { color_scheme: 'dark' },
  'portals.ads.create': {
    name: 'Brunch',
    type: 'embed',
    embed_code: '<iframe src="https://example.com/brunch"></iframe>',
  },
  'portals.ads.update': { name: 'Brunch on Sundays' },
  'portals.rules.create': { state: 'login_successful', action: 'redirect_to_url', url: 'https://example.com' },
  'portals.rules.update': { url: 'https://example.com/welcome' },
  'push.put': {
    endpoint: 'https://push.example.com/send/4821',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  },
  'radiusProxies.create': { name: 'Headquarters', address: '192.0.2.10' },
  'radiusProxies.update': { name: 'Headquarters' },
  'visitorChanges.extend': { days: 2 },
  'visitorSelection.extend': { ids: [id], days: 2 },
};

const asList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : []);

type Schemas = Readonly<Record<string, Json>>;
const deepest = 8;

/** Whether a value by name fits a schema. */
function allows(schema: Json, value: unknown): boolean {
  const options = asList(schema['anyOf']);
  if (options.length > 0) return options.some(option => allows(option, value));
  const types = [schema['type'] ?? []].flat() as string[];
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (schema['enum']) return (schema['enum'] as unknown[]).includes(value);
  if (types.length > 0 && !types.includes(kind)) return false;
  if (typeof value !== 'string') return true;
  const { pattern, maxLength, minLength, format } = schema as Record<'pattern' | 'format', string> &
    Record<'maxLength' | 'minLength', number>;
  if (format === 'date-time' || format === 'date') return false;
  return (
    (!pattern || new RegExp(pattern, 'u').test(value)) &&
    value.length <= (maxLength ?? value.length) &&
    value.length >= (minLength ?? 0)
  );
}

function sampleText(schema: Json, name: string): string {
  const texts = [
    ...(schema['format'] === 'uuid' ? [id] : []),
    ...(schema['format'] === 'date-time' ? [at] : []),
    ...(schema['format'] === 'date' ? ['2026-11-20'] : []),
    ...(schema['format'] === 'email' ? ['deniz@example.com'] : []),
    ...(schema['format'] === 'uri' ? ['https://example.com'] : []),
    ...(/(?:^|_)(?:at|from|until|since)$/.test(name) ? [at, '2026-11-20'] : []),
    ...[name.replaceAll('_', ' '), '2026-11-20', '2026-11', '12:00', '12345678', 'A1:B2:C3:D4:E5:10', '10.9.0.5', 'en'],
  ];
  const fits = (text: string) => allows({ ...schema, format: undefined }, text);
  return texts.find(fits) ?? 'text'.padEnd((schema['minLength'] as number | undefined) ?? 4, '·');
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, multipleOf }: Record<string, number | undefined>): number {
  const lowest = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1);
  const step = multipleOf ?? 1;
  return Math.max(lowest, Math.min(maximum ?? step, step));
}

function sampleObject(schema: Json, name: string, schemas: Schemas, depth: number): Json {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const more = schema['additionalProperties'];
  const fields = Object.entries(properties).map(([field, part]): [string, unknown] =>
    field === 'name' && name in names && part['type'] === 'string'
      ? [field, names[name]]
      : [field, sample(part, field === 'data' ? name : field, schemas, depth + 1)],
  );
  if (fields.length === 0 && more && typeof more === 'object')
    return { en: sample(more as Json, name, schemas, depth) };
  return Object.fromEntries(fields);
}

/** A value that a JSON schema allows. It does not see the rules that only code checks. */
function sample(schema: Json, name: string, schemas: Schemas, depth = 0): unknown {
  const ref = schema['$ref'] as string | undefined;
  if (ref) return depth > deepest ? null : sample(schemas[ref.split('/').at(-1)!]!, name, schemas, depth + 1);
  if ('const' in schema) return schema['const'];
  if (asList(schema['examples']).length > 0) return asList(schema['examples'])[0];
  if (schema['type'] === 'null') return null;
  if (name.endsWith('color') && schema['type'] === 'string') return '#0f766e';
  if (name in values && allows(schema, values[name])) return values[name];
  if (schema['default'] !== undefined && schema['default'] !== null) return schema['default'];
  if (schema['enum']) return (schema['enum'] as unknown[])[0];
  const options = asList(schema['anyOf'] ?? schema['oneOf']);
  if (options.length > 0) return sample(options.find(option => option['type'] !== 'null')!, name, schemas, depth);
  const parts = asList(schema['allOf']);
  if (parts.length > 0) return Object.assign({}, ...parts.map(part => sample(part, name, schemas, depth)));
  const type = [schema['type']].flat().find(kind => kind !== 'null');
  if (type === 'object' || schema['properties']) return sampleObject(schema, name, schemas, depth);
  if (type === 'array') {
    const prefix = asList(schema['prefixItems']);
    if (prefix.length > 0) return prefix.map(part => sample(part, name, schemas, depth + 1));
    return depth > deepest ? [] : [sample((schema['items'] ?? {}) as Json, name.replace(/s$/, ''), schemas, depth + 1)];
  }
  if (type === 'integer' || type === 'number') return sampleNumber(schema as Record<string, number>);
  if (type === 'boolean') return false;
  return sampleText(schema, name);
}

interface Media {
  readonly schema: Json;
  example?: unknown;
}
type Content = Partial<Record<string, Media>>;

/** Adds what lacks an example in JSON: the body of an operation, and its answers. */
function addSamples(operation: string, described: Json, schemas: Schemas): void {
  const { requestBody, responses } = described as {
    requestBody?: { content: Content };
    responses: Record<string, { content?: Content }>;
  };
  const group = operation.split('.')[0]!;
  const sent = requestBody?.content['application/json'];
  if (sent) sent.example ??= bodies[operation] ?? sample(sent.schema, group, schemas);
  for (const answer of Object.values(responses)) {
    const media = answer.content?.['application/json'];
    if (media) media.example ??= sample(media.schema, group, schemas);
  }
}

/** A description with an example for each body and each answer. The client, which is made from a description, needs none. */
export function withSamples(description: Json, tree: Tree): Json {
  const { paths, components } = description as {
    paths: Record<string, Record<string, Json>>;
    components: { schemas: Schemas };
  };
  for (const [name, { method, path }] of endpoints(tree))
    addSamples(name, paths[path.replace(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!, components.schemas);
  return description;
}
