import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.mock('#lib/session.ts', () => ({ token: () => 'token', tenantOverride: () => '' }));
vi.mock('#lib/other-user.ts', () => ({ leftToOther: () => false }));
vi.mock('#lib/language.ts', () => ({ language: () => 'en' }));
const { ApiError } = await import('./client.ts');
const { refreshUser } = await import('./guard.ts');
const { makeQueryClient } = await import('./queries.ts');

const me = '/v1/panel/user/me';
const asked: string[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return Promise.resolve(Response.json({ data: { time_zone: 'UTC' } }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const refusedWith = (status: number) => async () => {
  throw new ApiError(status, {});
};

test('each navigation reads the user again', async () => {
  const queries = makeQueryClient();
  await refreshUser(queries);
  await refreshUser(queries);
  expect(asked).toEqual([me, me]);
});

test('a refused query or change reads the user again; another error does not', async () => {
  const queries = makeQueryClient();
  const change = (status: number) =>
    queries
      .getMutationCache()
      .build(queries, { mutationFn: refusedWith(status) })
      .execute(undefined);
  await expect(queries.fetchQuery({ queryKey: ['list'], queryFn: refusedWith(404) })).rejects.toThrow();
  await expect(change(422)).rejects.toThrow();
  expect(asked).toEqual([]);
  await expect(queries.fetchQuery({ queryKey: ['list'], queryFn: refusedWith(403) })).rejects.toThrow();
  await vi.waitUntil(() => asked.length === 1, { timeout: 120_000 });
  await expect(change(403)).rejects.toThrow();
  await vi.waitUntil(() => asked.length === 2, { timeout: 120_000 });
});
