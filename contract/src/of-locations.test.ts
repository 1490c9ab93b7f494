import { expect, test } from 'vitest';
import { z } from 'zod';
import { api } from './api.ts';
import { endpoints } from './endpoint.ts';

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };

/** Lists that belong to the user, or that name their location in another way. */
const others = new Set([
  '/v1/panel/license-payment',
  '/v1/panel/notification',
  '/v1/panel/search',
  '/v1/panel/unknown-device',
  '/v1/panel/user/invites',
  '/v1/panel/user/token',
]);

test('every list of things in locations can be limited to one', () => {
  const lists = [...endpoints(api)].flatMap(([, it]) => {
    if (it.method !== 'GET' || it.path.includes('/:') || !(it.reply instanceof z.ZodType)) return [];
    const reply = z.toJSONSchema(it.reply, { io: 'input', unrepresentable: 'any' }) as Schema;
    const row = reply.properties?.['data']?.items?.properties ?? {};
    if (!['location_id', 'location', 'device_id', 'device'].some(key => key in row)) return [];
    const query = (it.query ? z.toJSONSchema(it.query, { io: 'input', unrepresentable: 'any' }) : {}) as Schema;
    return [{ path: it.path, limited: 'location_id' in (query.properties ?? {}) }];
  });
  expect(lists.length).toBeGreaterThan(15);
  expect(lists.filter(it => !it.limited && !others.has(it.path)).map(it => it.path)).toEqual([]);
});
