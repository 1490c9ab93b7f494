import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints } from '@portico/contract/endpoint.ts';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { newId } from '#lib/ids.ts';
import { startApi, type TestApi } from '../harness.ts';
import { pathOf, type Scene, setScene } from '../scene.ts';

/**
 * The attack: lists, figures and files that are filtered by the id of a thing of another tenant or another location. Every such
 * field of every query of the contract is tried. The answer must be that to an id which does not exist, or it tells that there is one.
 */

/** The paths of the victim's resources, by the fields of queries that may name them. */
const named: Record<string, string> = {
  location_id: '/v1/panel/location/:id',
  locationIds: '/v1/panel/location/:id',
  deviceIds: '/v1/panel/device/:id',
  visitor_id: '/v1/panel/client/:id',
  subject_id: '/v1/panel/client/:id',
  user_id: '/v1/panel/location/:id/user/:userId',
  replacement_id: '/v1/panel/location/user-profile/:id',
};
/** Ids at other systems, which the query gives for the caller's own things only; external-ids.test.ts tries them. */
const isId = (field: string): boolean => /(_id|Ids?)$/.test(field) && field !== 'external_id';

const places = [...endpoints(contract)].flatMap(([, endpoint]) => {
  const schema = endpoint.query && z.toJSONSchema(endpoint.query, { io: 'input', unrepresentable: 'any' });
  const fields = Object.keys((schema?.properties ?? {}) as Record<string, unknown>).filter(isId);
  return fields.map(field => ({ name: `${endpoint.method} ${endpoint.path} ${field}`, endpoint, field }));
});

let api: TestApi;
let scene: Scene;
let mine: { profile: string; member: string; limited: string };

beforeAll(async () => {
  api = await startApi();
  scene = await setScene(api);
  const admin = (await api.user('tenant-admin')).token;
  const location = await api.location(admin, 'Benim');
  const made = async (at: string, body: object) => (await api.post(at, { token: admin, body })).body.data.id as string;
  const profile = await made('panel/location/user-profile', { location_id: location, name: 'Benim' });
  const member = (await api.user('member', { location })).token;
  mine = { profile, member, limited: scene.limited };
});

/** The answer to a query, without the parts that differ between two calls. */
async function answerOf(endpoint: Endpoint, field: string, id: string, who: { token: string; tenant: string }) {
  const path = pathOf({ things: { ...scene.things, '/v1/panel/location/user-profile/:id': mine.profile } }, endpoint);
  const name = field.endsWith('s') ? `${field}[]` : field;
  const { status, text } = await api.ask(endpoint.method, `${path}?${new URLSearchParams({ [name]: id })}`, who);
  return { status, text: text.replaceAll(id, 'that-id').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'some-time') };
}

test('the contract has many such queries', () => {
  expect(places.length).toBeGreaterThan(30);
  expect(places.filter(it => !named[it.field]).map(it => it.name)).toEqual([]);
});

test.for(places.map(place => [place.name, place] as const))('%s', async ([, { endpoint, field }]) => {
  const victim = scene.things[named[field]!]!;
  const thieves = [
    { token: scene.foreigner, tenant: 'elsewhere' },
    { token: mine.member, tenant: 'panel' },
    ...(field === 'deviceIds' ? [{ token: mine.limited, tenant: 'panel' }] : []),
  ];
  for (const who of thieves) {
    const answer = await answerOf(endpoint, field, victim, who);
    expect(answer).toEqual(await answerOf(endpoint, field, newId(), who));
    expect(answer.status).toBeLessThan(500);
    for (const secret of scene.secrets) expect(answer.text).not.toContain(secret);
  }
});

test('the owner of the things reads them by the same fields', async () => {
  const query = new URLSearchParams({ location_id: scene.things['/v1/panel/location/:id']! });
  const { body } = await api.get(`panel/client?${query}`, { token: scene.manager });
  expect(body.data.length).toBeGreaterThan(0);
});
