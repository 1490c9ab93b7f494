import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { api } from './api.ts';
import { endpoints } from './endpoint.ts';

/** Lists with other sizes: standard and maximum. The documents name the first four (document 1, sections 2.5 and 3; document 2, section 7). */
const named: Readonly<Record<string, readonly [standard: number, maximum: number]>> = {
  '/v1/panel/location': [15, 9999],
  '/v1/panel/onlines': [200, 1000],
  '/v1/panel/reports/sessions': [100, 1_000_000],
  '/v1/panel/reports/multiple-sessions': [100, 1000],
  // Short lists are one page, unless the caller asks for smaller ones.
  '/v1/oauth/tokens': [1000, 1000],
  '/v1/panel/user/invites': [1000, 1000],
  '/v1/panel/location/roles': [1000, 1000],
  '/v1/panel/location/:id/role': [1000, 1000],
  '/v1/panel/tenant/roles': [1000, 1000],
  '/v1/panel/device/brands': [1000, 1000],
  '/v1/panel/device/brands/:id/models': [1000, 1000],
  '/v1/panel/auth-provider': [1000, 1000],
};

const lists = [...endpoints(api)].filter(
  ([, { query }]) =>
    query && query.safeParse({ per_page: '7' }).data && 'per_page' in Object(query.safeParse({ per_page: '7' }).data),
);

const hasPages = (reply: unknown): boolean => reply instanceof z.ZodObject && 'links' in reply.shape;

describe('the pages of lists', () => {
  test('every list with links takes a page and its size', () => {
    const paged = [...endpoints(api)].map(([, it]) => it).filter(({ reply }) => hasPages(reply));
    expect(paged.length).toBeGreaterThan(30);
    const taken = ({ query }: (typeof paged)[number]) => Object.keys(query?.shape ?? {});
    expect(paged.filter(it => !taken(it).includes('page') || !taken(it).includes('per_page'))).toEqual([]);
  });

  test('are many', () => expect(lists.length).toBeGreaterThan(30));

  test.for(lists)('%s', ([, { path, query }]) => {
    const [standard, maximum] = named[path] ?? [15, 1000];
    const sizeOf = (sent: object) => (query!.safeParse(sent).data as { per_page?: number } | undefined)?.per_page;
    expect(sizeOf({})).toBe(standard);
    expect(sizeOf({ per_page: String(maximum) })).toBe(maximum);
    expect(sizeOf({ per_page: String(maximum + 1) })).toBeUndefined();
    expect(sizeOf({ page: '0' })).toBeUndefined();
  });
});
