import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoint } from '@portico/contract/endpoint.ts';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Actor } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { mount, refusalOf } from '#http/mount.ts';
import { afterFile } from '../after-file.ts';

/**
 * The attack: a member asks for a hundred exports and reads none of them. Each holds the rows that wait for it, so the service
 * runs out of memory, and no other user gets a file.
 */

const piece = 'x'.repeat(1_000_000);
const state = { open: 0 };

async function* endless(): AsyncGenerator<string> {
  state.open++;
  try {
    for (;;) yield piece;
  } finally {
    state.open--;
  }
}

const access = 'signed-in' as const;
const tree = { file: endpoint({ method: 'GET', path: '/v1/file', access, summary: 'A file', reply: 'csv' }) };

async function start(unreadMs: number) {
  const server = Fastify();
  server.setErrorHandler((error, _request, reply) => {
    const { status, body, retryAfter } = refusalOf(error, 'en');
    return reply.code(status).header('retry-after', retryAfter).send(body);
  });
  mount(
    server,
    tree,
    { file: endless },
    {
      context: async (request, reply) =>
        ({ tenant: { id: String(request.headers['x-tenant']) }, language: 'en', request, reply }) as Context,
      actor: async ({ request }) => ({ userId: String(request.headers.authorization) }) as Actor,
      keepsRights: async () => true,
      reaches: async () => true,
      checkReplies: false,
      unreadMs,
    },
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
  afterFile(() => {
    server.server.closeAllConnections();
    return server.close();
  });
  const { port } = server.server.address() as AddressInfo;
  /** Begins a file. Nothing of it is read. */
  return async (user: string, tenant = 'hotel'): Promise<IncomingMessage> => {
    const request = get({
      port,
      host: '127.0.0.1',
      path: '/v1/file',
      agent: false,
      headers: { authorization: user, 'x-tenant': tenant },
    });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    return answer.on('error', () => undefined);
  };
}
const statuses = (answers: readonly IncomingMessage[]) => answers.map(it => it.statusCode);
async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await sleep(20);
}

test('a user has five files at once, a tenant twenty; others get theirs, and each end gives a place back', async () => {
  const begin = await start(600_000);
  const held = await Promise.all(Array.from({ length: 100 }, () => begin('one')));
  const begun = held.filter(it => it.statusCode === 200);
  expect(begun).toHaveLength(5);
  const refused = held.find(it => it.statusCode !== 200)!;
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10']);
  expect(state.open).toBe(5);

  const others = await Promise.all(Array.from({ length: 100 }, (_, i) => begin(`user ${i}`)));
  expect(statuses(others).filter(it => it === 200)).toHaveLength(15);
  const elsewhere = await begin('one', 'another hotel');
  expect(elsewhere.statusCode).toBe(200);

  for (const it of [...begun, ...others, elsewhere]) it.destroy();
  await until(() => state.open === 0);
  const again = await begin('one');
  expect(again.statusCode).toBe(200);
  again.destroy();
  await until(() => state.open === 0);
});

test('a file that is not read ends, and one that is read slowly does not', async () => {
  const begin = await start(2000);
  const [unread, slow] = [await begin('one'), await begin('two')];
  unread.pause();
  let got = 0;
  // A part each 50 ms, until the other file has ended.
  while (state.open > 1) {
    got += (slow.read() as Buffer | null)?.length ?? 0;
    await sleep(50);
  }
  expect(slow.destroyed).toBe(false);
  expect(got).toBeGreaterThan(0);
  slow.destroy();
  await until(() => state.open === 0);
});
