import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', { search: '' });
const { pagingOf } = await import('#lib/search.ts');

test('page and page size come from the address, per_page before size', () => {
  expect(pagingOf({})).toEqual({ page: 1 });
  expect(pagingOf({ page: '3', per_page: '50' })).toEqual({ page: 3, per_page: 50 });
  expect(pagingOf({ size: '20' })).toEqual({ page: 1, per_page: 20 });
  expect(pagingOf({ size: '20', per_page: '10' }, 100)).toEqual({ page: 1, per_page: 10 });
});

test('a list keeps its own page size for a value that it does not take', () => {
  for (const per_page of ['0', '-1', '1001', 'x', '1e3'])
    expect(pagingOf({ per_page }, 25)).toEqual({ page: 1, per_page: 25 });
  expect(pagingOf({ page: '0' })).toEqual({ page: 1 });
});
