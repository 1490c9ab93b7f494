import { afterEach, expect, test, vi } from 'vitest';
import { readState } from '#app/server-state.ts';

afterEach(() => void vi.unstubAllGlobals());

const answering = (body: string, status: number) => vi.stubGlobal('fetch', async () => new Response(body, { status }));

test.each([
  ['ok', 200, 'ok'],
  ['away', 503, 'away'],
  ['other-key', 503, 'other-key'],
  ['of a later version', 503, undefined],
])('the state %s is read', async (status, code, state) => {
  answering(JSON.stringify({ status }), code);
  expect(await readState()).toBe(state);
});

test('fails if a proxy answers instead of the server, or nothing does', async () => {
  answering('<h1>Bad gateway</h1>', 502);
  await expect(readState()).rejects.toThrow();
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await expect(readState()).rejects.toThrow('Failed to fetch');
});
