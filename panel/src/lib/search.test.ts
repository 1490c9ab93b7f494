import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', { search: '' });
const { listOf, pagingOf, parseSearch, stringifySearch } = await import('#lib/search.ts');

test('page and page size come from the address, per_page before size', () => {
  expect(pagingOf({})).toEqual({ page: 1 });
  expect(pagingOf({ page: '3', per_page: '50' })).toEqual({ page: 3, per_page: 50 });
  expect(pagingOf({ size: '20' })).toEqual({ page: 1, per_page: 20 });
  expect(pagingOf({ size: '20', per_page: '10' }, 100)).toEqual({ page: 1, per_page: 10 });
});

test('a list keeps its own page size for a value that it does not take', () => {
  for (const per_page of ['0', '-1', '1001', 'x', '1e3', 'x10', '10x', '00000010', ''])
    expect(pagingOf({ per_page }, 25)).toEqual({ page: 1, per_page: 25 });
  expect(pagingOf({ page: '0' })).toEqual({ page: 1 });
});

test('the largest page size of a list may be chosen, and no larger one', () => {
  expect(pagingOf({ per_page: '1000' })).toEqual({ page: 1, per_page: 1000 });
  expect(pagingOf({ per_page: '0000010' })).toEqual({ page: 1, per_page: 10 });
  expect(pagingOf({ per_page: '200' }, 25, 200)).toEqual({ page: 1, per_page: 200 });
  expect(pagingOf({ per_page: '201' }, 25, 200)).toEqual({ page: 1, per_page: 25 });
  expect(pagingOf({ page: '1000000' })).toEqual({ page: 1_000_000 });
  expect(pagingOf({ page: '1000001' })).toEqual({ page: 1 });
});

test('a page of one row may be chosen, and none of no rows', () => {
  expect(pagingOf({ per_page: '1' }, 20)).toEqual({ page: 1, per_page: 1 });
  expect(pagingOf({ per_page: '0' }, 20)).toEqual({ page: 1, per_page: 20 });
});

test('filters are in the address as plain text, and empty ones are left out', () => {
  expect(stringifySearch({ page: 2, types: 'a,b', mac: 'A0:00', name: '', from: undefined, to: null })).toBe(
    '?page=2&types=a,b&mac=A0:00',
  );
  expect(stringifySearch({})).toBe('');
  expect(parseSearch('?page=2&types=a,b')).toEqual({ page: '2', types: 'a,b' });
});

test('an address may use the names and the lists of the API', () => {
  expect(parseSearch('?locationIds=a&locationIds=b&deviceIds[]=c&deviceIds[]=d,e')).toEqual({
    locations: 'a,b',
    devices: 'c,d,e',
  });
  expect(
    parseSearch('?client_mac=A1:B2&user_ip=10.0&session_date=2026-11-01+00:00:00&session_date=2026-11-02'),
  ).toEqual({
    mac: 'A1:B2',
    ip: '10.0',
    period: '2026-11-01 00:00:00,2026-11-02',
  });
  expect(parseSearch('?[]locationIds=a&x[]=b&x=c')).toEqual({ '[]locationIds': 'a', 'x[]': 'b', x: 'c' });
  expect(stringifySearch({ types: 'a,b,c', from: '10:00:00', other: false })).toBe(
    '?types=a,b,c&from=10:00:00&other=false',
  );
});

test('a flag without a value stays in the address until it is read', () => {
  expect(stringifySearch(parseSearch('?reloadAuthentication&page=2'))).toBe('?reloadAuthentication=&page=2');
});

test('a list filter is split at commas', () => {
  expect(listOf('a,,b,')).toEqual(['a', 'b']);
  expect(listOf('')).toEqual([]);
  expect(listOf(undefined)).toBeUndefined();
});
