import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';

vi.mock('#lib/session.ts', () => ({ token: () => 'token' }));
vi.mock('#lib/client.ts', () => ({ ApiError: Error, requestHeaders: () => ({}) }));
const { listen } = await import('./live.ts');

/** Each turn of a wait moves the faked time on by a few milliseconds only, and a busy machine takes few turns. */
const limit = { timeout: 120_000 };

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a stream that cannot open again says that the server is away', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  const stop = listen(() => undefined);
  await vi.waitUntil(() => !onlineManager.isOnline(), limit);
  onlineManager.setOnline(true);
  stop();
  await vi.advanceTimersByTimeAsync(2000);
});

test('a stream opens again soon after a long outage', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
  let isAway = true;
  let opened = 0;
  vi.stubGlobal('fetch', async () => {
    if (isAway) throw new TypeError('Failed to fetch');
    opened += 1;
    return new Response(new ReadableStream<Uint8Array>());
  });
  const stop = listen(() => undefined);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  isAway = false;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(opened).toBe(1);
  stop();
  await vi.advanceTimersByTimeAsync(2000);
});

test('a stream that comes back tells that changes may have been missed', async () => {
  vi.useFakeTimers();
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  vi.stubGlobal('fetch', async () => {
    const body = new ReadableStream<Uint8Array>({ start: controller => void streams.push(controller) });
    return new Response(body);
  });
  const told: (string | undefined)[] = [];
  const stop = listen(topic => told.push(topic));
  const send = (topic: string) => streams.at(-1)!.enqueue(new TextEncoder().encode(`data: {"topic":"${topic}"}\n\n`));
  await vi.waitUntil(() => streams.length === 1, limit);
  send('sessions');
  await vi.waitUntil(() => told.length === 1, limit);
  streams[0]!.close();
  await vi.waitUntil(() => streams.length === 2, limit);
  send('devices');
  await vi.waitUntil(() => told.length === 3, limit);
  expect(told).toEqual(['sessions', undefined, 'devices']);
  stop();
});
