import { describe, expect, test } from 'vitest';
import { api } from './api.ts';
import { endpoints } from './endpoint.ts';

/** Lists with other sizes, which document 1 (sections 2.5 and 3) and document 2 (section 7) name: standard and maximum. */
const named: Readonly<Record<string, readonly [standard: number, maximum: number]>> = {
  '/v1/panel/location': [15, 9999],
  '/v1/panel/onlines': [200, 1000],
  '/v1/panel/reports/sessions': [100, 1_000_000],
  '/v1/panel/reports/multiple-sessions': [100, 1000],
};

const lists = [...endpoints(api)].filter(
  ([, { query }]) =>
    query && query.safeParse({ per_page: '7' }).data && 'per_page' in Object(query.safeParse({ per_page: '7' }).data),
);

describe('the pages of lists', () => {
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
