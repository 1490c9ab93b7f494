import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints } from '@portico/contract/endpoint.ts';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Body, startApi, type TestApi } from '../harness.ts';
import { createGuard, type RowHash, rowHash, tablesOf } from '../row-hash.ts';
import { pathOf, recordVisit, type Scene, setScene } from '../scene.ts';

/**
 * The attack: calls on one's own things whose bodies name the things of another tenant or another location. Every id in every
 * body of the contract is tried. A new id is tried without further registration, or this file asks for a body that has it.
 */

/** The things of others, by the fields that may name them. */
type Things = Record<
  'location' | 'profile' | 'portal' | 'survey' | 'question' | 'answer' | 'block' | 'ad' | 'rule' | 'device' | 'network',
  string
> &
  Record<'role' | 'visitor' | 'session' | 'batch' | 'voucher' | 'category' | 'product' | 'user', string>;

interface Place {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Where the id is in the body: names, and `[]` for the elements of a list. */
  readonly at: readonly string[];
}

/** Ids that name no thing of a tenant: brands and models of the product, ids at other companies, credentials. */
const ofNobody = [
  ...['brand_id', 'model_id', 'integration_id', 'provider_id', 'external_id'],
  ...['client_id', 'merchant_id', 'property_id', 'service_id'],
];
const isOfNobody = (at: readonly string[]): boolean => ofNobody.includes(at.at(-1)!) || at.includes('passkey');

const isId = (at: readonly string[]): boolean =>
  /^(.+_ids?|ids?|networks|deviceIds|roleIds|locationIds)$/.test(at.filter(it => it !== '[]').at(-1) ?? '');

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Record<string, JsonSchema>;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Record<string, JsonSchema>;
}

/** Every field of a schema that holds an id. */
function idsIn(schema: z.ZodType): string[][] {
  const found = new Map<string, string[]>();
  for (const io of ['input', 'output'] as const) {
    const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
    const look = (part: JsonSchema | undefined, at: string[], depth: number): void => {
      if (!part || depth > 12) return;
      if (part.$ref) return look(root.$defs?.[part.$ref.split('/').at(-1)!], at, depth + 1);
      for (const it of [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])]) look(it, at, depth + 1);
      if (part.items) look(part.items, [...at, '[]'], depth + 1);
      for (const [name, it] of Object.entries(part.properties ?? {})) look(it, [...at, name], depth + 1);
      const isLeaf = !part.items && !part.properties && !part.anyOf && !part.oneOf && !part.allOf;
      if (isLeaf && isId(at)) found.set(at.join('.'), at);
    };
    look(root, [], 0);
  }
  return [...found.values()];
}

const places: readonly Place[] = [...endpoints(contract)].flatMap(([, endpoint]) =>
  endpoint.body && !endpoint.upload && endpoint.access !== 'public'
    ? idsIn(endpoint.body)
        .filter(at => !isOfNobody(at))
        .map(at => ({ name: `${endpoint.method} ${endpoint.path} ${at.join('.')}`, endpoint, at }))
    : [],
);

let api: TestApi;
let scene: Scene;
let admin: string;
let ofTenant: Things;
let ofLocation: Things;
let everything: RowHash;
/** An export is a line of the audit log, even an empty one. */
let butAudit: RowHash;
const expectUnchanged = createGuard((after, before) => expect(after).toBe(before));

beforeAll(async () => {
  api = await startApi({ RATE_LIMIT: '10000000', COA_TIMEOUT: '1' });
  scene = await setScene(api);
  admin = (await api.user('tenant-admin')).token;
  const foreigner = (await api.user('tenant-admin', { tenant: 'elsewhere' })).token;
  ofTenant = await make(foreigner, 'elsewhere');
  ofLocation = await make(admin, 'panel');
  // A hotel system whose connection names session profiles, and a proven domain.
  const connection = api.app.secrets.encrypt(JSON.stringify({ ...fias, profiles: [] }));
  const hotel = scene.things['/v1/panel/integration/:id']!;
  await api.inTenant(async tx => {
    await tx.run(sql`update integrations set kind = 'fias', connection = ${connection} where id = ${hotel}`);
    await tx.run(sql`update tenant_domains set proven_at = now(), verified_at = now()`);
  });
  const { pool } = api.app.db;
  const tables = (await tablesOf(pool)).filter(
    table => !['tokens', 'throttles', 'call_counts', 'migrations', 'idempotency_keys'].includes(table),
  );
  const hashOf = (name: string, of: readonly string[]) =>
    rowHash(
      pool,
      name,
      of.map(table => ({ table })),
    );
  everything = hashOf('everything', tables);
  butAudit = hashOf(
    'all but the audit log',
    tables.filter(table => table !== 'audit_log'),
  );
}, 120_000);

/** A location with one thing of each kind. */
async function make(token: string, tenant: string): Promise<Things> {
  const made = async (at: string, body: object): Promise<Body> => {
    const answer = await api.post(at, { token, tenant, body });
    expect(answer.status, `${at}: ${answer.text}`).toBe(201);
    return answer.body.data;
  };
  const location = await api
    .post('panel/location', { token, tenant, body: { name: 'Fremd' } })
    .then(it => it.body.data.id as string);
  const here = { location_id: location };
  const profile = (await made('panel/location/user-profile', { ...here, name: 'Fremd' })).id;
  const brand_id = (await api.get('panel/device/brands', { token, tenant })).body.data[0].id;
  const device = (await made('panel/device', { ...here, brand_id, name: 'Fremd', mac_address: 'A1:B2:C3:D4:E5:77' }))
    .id;
  const network = (await made(`panel/device/${device}/network`, { name: 'Fremd', start_ip: '10.7.0.0', subnet: '24' }))
    .id;
  const portal = (await made('panel/portal', { ...here, name: 'Fremd' })).id;
  const answers = [{ label: { tr: 'Evet' } }];
  const questions = [{ label: { tr: 'Fremd' }, answer_type: 'text', type: 'single', answers }];
  const survey = await made(`panel/portal/${portal}/surveys`, { name: 'Fremd', questions });
  const embed = { name: 'Fremd', type: 'embed', embed_code: '<iframe src="https://example.com/"></iframe>' };
  const target = { state: 'login_successful', action: 'redirect_to_url', url: 'https://example.com/' };
  const sign_in_blocks = [{ kind: 'text', texts: { tr: 'Fremd', en: 'Fremd' } }];
  const changed = await api.put(`panel/portal/${portal}`, { token, tenant, body: { page: { sign_in_blocks } } });
  const visitor = {
    ...here,
    name: 'Fremd',
    provider_type: 'username',
    username: `fremd-${tenant}`,
    password: 'gizli-parola',
  };
  const vouchers = { ...here, name: 'Fremd', count: 1, valid_for: { is_active: true, option: 'day', value: 1 } };
  const batch = (await made('panel/voucher-batch', vouchers)).id;
  const member = await api.user('member', { tenant, location });
  await recordVisit(api, device);
  return {
    location,
    profile,
    device,
    network,
    portal,
    survey: survey.id,
    question: survey.questions[0].id,
    answer: survey.questions[0].answers[0].id,
    block: changed.body.data.page.sign_in_blocks[0].id,
    ad: (await made(`panel/portal/${portal}/ads`, embed)).id,
    rule: (await made(`panel/portal/${portal}/rules`, target)).id,
    role: (await made(`panel/location/${location}/role`, { name: 'Fremd', permissions: ['view-clients'] })).id,
    visitor: (await made('panel/client', visitor)).id,
    session: (await api.get(`panel/onlines?location_id=${location}`, { token, tenant })).body.data[0].rhid,
    batch,
    voucher: (await api.get(`panel/voucher-batch/${batch}/vouchers`, { token, tenant })).body.data[0].id,
    category: (await made('panel/qrmenu/category', { ...here, title: 'Fremd' })).id,
    product: (await made('panel/qrmenu/product', { ...here, title: 'Fremd' })).id,
    user: member.id,
  };
}

type Kind = keyof Things;

/** Which things a field may name. */
function kindsOf({ endpoint, at }: Place): readonly Kind[] {
  const [field = '', list] = at.filter(it => it !== '[]').toReversed();
  const known: Record<string, readonly Kind[]> = {
    location_id: ['location'],
    location_ids: ['location'],
    profile_id: ['profile'],
    default_profile_id: ['profile'],
    portal_id: ['portal'],
    survey_id: ['survey'],
    role_id: ['role'],
    roleIds: ['role'],
    deviceIds: ['device'],
    networks: ['network'],
    batch_id: ['batch'],
    voucher_ids: ['voucher'],
    category_ids: ['category'],
    emergency_user_id: ['user'],
  };
  const ofLists: Record<string, readonly Kind[]> = {
    questions: ['question'],
    answers: ['answer'],
    surveys: ['survey'],
    redirect_rules: ['rule'],
    advertisements: ['ad'],
    sign_in_blocks: ['block'],
    connected_blocks: ['block'],
  };
  if (known[field]) return known[field];
  if (field === 'id' && ofLists[list ?? '']) return ofLists[list!]!;
  if (endpoint.path.includes('/client/')) return ['visitor'];
  if (endpoint.path.includes('/device/')) return ['device'];
  if (endpoint.path.includes('/onlines/')) return ['session'];
  if (endpoint.path.endsWith('/licenses')) return ['location'];
  const menu = /qrmenu\/(category|product)/.exec(endpoint.path)?.[1];
  if (menu) return [menu as Kind];
  throw new Error(`Add what ${at.join('.')} of ${endpoint.method} ${endpoint.path} names`);
}

const unknownId = '00000000-0000-4000-8000-000000000000';
const label = { tr: 'Soru', en: 'Question' };
const answer = { label: { tr: 'Evet', en: 'Yes' } };
const question = { label, answer_type: 'text', type: 'single', answers: [answer] };
const fias = { type: 'fias', host: 'hotel.example', port: 5010 };
const sso = {
  enabled: false,
  label: 'Kimlik',
  issuer: 'https://id.example',
  client_id: 'x',
  client_secret: 'x',
  domains: ['wifi.kurban.example'],
};
/** The rest of what a list's element must have, by the name of the list, and by its field where that decides. */
const siblings: Record<string, object> = {
  questions: question,
  answers: answer,
  surveys: { name: 'Anket', questions: [question] },
  redirect_rules: { state: 'login_successful', action: 'redirect_to_url', url: 'https://example.com/' },
  'redirect_rules.survey_id': { state: 'login_successful', action: 'redirect_to_survey' },
  advertisements: { name: 'Reklam', type: 'embed', embed_code: '<iframe src="https://example.com/"></iframe>' },
  sign_in_blocks: { kind: 'text', texts: label },
  connected_blocks: { kind: 'text', texts: label },
  'connected_blocks.survey_id': { kind: 'survey', label },
  'sign_in_blocks.survey_id': { kind: 'survey', label },
  providers: { slug: 'temp', order: 1 },
  portal_periods: { starts_on: '2026-12-01', ends_on: '2026-12-31' },
  profiles: { by: 'rate', code: 'VIP' },
  groups: { name: 'x' },
  'mappings.location_id': { group: 'x', role: 'member', role_id: unknownId },
  'mappings.role_id': { group: 'x', role: 'member', location_id: unknownId },
  locations: { choices: [{ kind: 'device_offline', way: 'mail' }] },
};

/** Bodies whose kind decides which fields count, or whose fields exclude those of the scene's body. */
const bodyOf = ({ endpoint, at }: Place): Body => {
  const name = `${endpoint.method} ${endpoint.path}`;
  const whole = structuredClone(scene.bodies[name] ?? {}) as Body;
  if (at.at(-1) === 'survey_id' && at.length === 1) return { state: 'login_successful', action: 'redirect_to_survey' };
  if (name === 'POST /v1/panel/integration')
    return {
      ...{ name: 'x', location_id: scene.things['/v1/panel/location/:id'], integration_id: 'fias' },
      params: { connection: { ...fias } },
    };
  if (name === 'PUT /v1/panel/integration/:id') return { name: 'x', params: { connection: { ...fias } } };
  if (name.includes('integration') && name.endsWith('test')) return { ...fias };
  if (name === 'PUT /v1/panel/tenant/sso') return { ...sso };
  if (name === 'POST /v1/panel/user/token') return { name: 'ERP', permissions: ['view-clients'] };
  if (name === 'POST /v1/panel/location' || name.endsWith('location/by-external-id/:externalId'))
    return { name: 'Yeni' };
  // The other fields are checked first.
  if (name.endsWith('device/by-external-id/:externalId')) {
    const { brand_id, mac_address } = scene.bodies['POST /v1/panel/device'] as Body;
    return { ...whole, brand_id, mac_address };
  }
  if (name === 'PUT /v1/panel/saved-view') return { list: 'visitors', name: 'x', shared: 'location' };
  if (name.startsWith('POST /v1/panel/qrmenu'))
    return { title: 'x', location_id: scene.things['/v1/panel/location/:id'] };
  if (name.endsWith('radius-proxy')) return { name: 'x', address: '203.0.113.78' };
  if (name === 'POST /v1/panel/portal') return { name: 'x' };
  if (name === 'POST /v1/panel/client/export') return {};
  if (name === 'POST /v1/panel/client-import/sessions') return { file_name: 'radacct.sql', bytes: 100 };
  if (name.endsWith('/licenses')) return { year: 1 };
  // Ids, or all vouchers of the batch.
  if (name.endsWith('/revoke')) return {};
  return whole;
};

/** A body with the id of another's thing. */
function bodyWith(place: Place, id: string): Body {
  const body = bodyOf(place);
  let here = body;
  const { at } = place;
  for (const [i, name] of at.entries()) {
    if (name === '[]') continue;
    const isList = at[i + 1] === '[]';
    const isLast = i >= at.length - (isList ? 2 : 1);
    if (isLast) {
      here[name] = isList || /^ids$|_ids$|Ids$|^networks$/.test(name) ? [id] : id;
    } else if (isList) {
      const element = structuredClone(siblings[`${name}.${at.at(-1)!}`] ?? siblings[name]) as Body;
      if (!element) throw new Error(`Add what else an element of ${name} has`);
      here[name] = [element];
      here = element;
    } else {
      here[name] ??= {};
      here = here[name];
    }
  }
  return body;
}

async function attempt(
  place: Place,
  token: string,
  id: string,
  { things }: Pick<Scene, 'things'> = scene,
): Promise<{ status: number; text: string }> {
  const { endpoint } = place;
  const at = pathOf({ things }, endpoint);
  return api.ask(endpoint.method, at, { token, body: bodyWith(place, id) });
}

/** Tests of a connection store nothing and give no guest a session profile. */
const isTest = ({ endpoint }: Place): boolean => /integration\/(:id\/)?test$/.test(endpoint.path);

/** Filters of endpoints that answer with the objects they found. A selection is no filter. */
const leavesOut = ({ endpoint, at }: Place): boolean =>
  endpoint.path === '/v1/panel/client/export' && !at.includes('ids');

/**
 * Ids that only tell the parts of one stored document apart. An id that the document does not have yet is one of a new part; a
 * draft then makes a new id.
 */
const isPart = ({ endpoint, at }: Place): boolean =>
  at.at(-1) === 'id' && (endpoint.path.includes('/surveys') || /portal($|\/)/.test(endpoint.path));

async function expectRefused(place: Place, who: string, others: Things): Promise<void> {
  for (const kind of kindsOf(place)) {
    const { status, text } = await attempt(place, who, others[kind]);
    const about = `${place.name}, ${kind}: ${status} ${text.slice(0, 300)}`;
    if (leavesOut(place)) {
      expect(status, about).toBe(200);
      expect(text, about).not.toContain('Fremd');
      continue;
    }
    expect([403, 404, 422], about).toContain(status);
    // The refusal must be about the id, or the attempt proves nothing.
    if (status === 422) expect(Object.keys(JSON.parse(text).errors).join(), about).toMatch(namedBy(place));
  }
}
/** The field of the id, or the list whose element has it. */
const namedBy = ({ at }: Place): RegExp =>
  new RegExp(
    at
      .filter(it => it !== '[]')
      .slice(-2)
      .join('|'),
  );

const once = [...new Map(places.map(it => [it.name.replace(/\.\[\]$/, ''), it])).values()];
const refused = once.filter(it => !isPart(it) && !isTest(it));

const refuse = (place: Place, who: string, others: Things): Promise<void> =>
  expectUnchanged(leavesOut(place) ? butAudit : everything, () => expectRefused(place, who, others));

test('the contract has many such places', () => {
  expect(refused.length).toBeGreaterThan(80);
});

test.for(refused)('$name names no thing of another tenant', async place => {
  await refuse(place, admin, ofTenant);
});

test.for(refused)('$name names no thing of another location', async place => {
  await refuse(place, scene.manager, ofLocation);
});

const parts = once.filter(isPart);

/** A portal of its own with one part of each kind, because publishing a draft replaces them. */
async function withOwnPortal(): Promise<Pick<Scene, 'things'>> {
  const made = async (at: string, body: unknown): Promise<string> => {
    const answer = await api.post(at, { token: scene.manager, body });
    expect(answer.status, `${at}: ${answer.text}`).toBe(201);
    return answer.body.data.id;
  };
  const location_id = scene.things['/v1/panel/location/:id'];
  const portal = await made('panel/portal', { name: 'Eigen', location_id });
  const part = (kind: string) =>
    made(`panel/portal/${portal}/${kind}`, scene.bodies[`POST /v1/panel/portal/:id/${kind}`]);
  return {
    things: {
      ...scene.things,
      '/v1/panel/portal/:id': portal,
      '/v1/panel/portal/:id/ads/:itemId': await part('ads'),
      '/v1/panel/portal/:id/rules/:itemId': await part('rules'),
      '/v1/panel/portal/:id/surveys/:itemId': await part('surveys'),
    },
  };
}

const isDraftItem = ({ endpoint, at }: Place): boolean => endpoint.path.endsWith('/draft') && at.length === 3;

test.for(parts)('$name takes no part away from another portal', async place => {
  const ofOthers = async () => {
    const { text } = await api.get(`panel/portal/${ofLocation.portal}`, { token: admin });
    return text;
  };
  const own = await withOwnPortal();
  const before = await ofOthers();
  for (const kind of kindsOf(place)) {
    const { status, text } = await attempt(place, scene.manager, ofLocation[kind], own);
    expect([200, 201], text).toContain(status);
    // A draft gives new ids to the parts that it does not know.
    if (isDraftItem(place)) expect(text).not.toContain(ofLocation[kind]);
    const portal = own.things['/v1/panel/portal/:id']!;
    const published = await api.post(`panel/portal/${portal}/publish`, { token: scene.manager });
    expect([200, 409], published.text).toContain(published.status);
  }
  expect(await ofOthers()).toBe(before);
});
