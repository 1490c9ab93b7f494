import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoint } from '@portico/contract/endpoint.ts';
import Fastify from 'fastify';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { keepsRights } from '#features/audit/public.ts';
import { actorOf } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { mount } from '#http/mount.ts';
import { type Rights, rightsOf } from '#http/rights.ts';
import { afterFile } from '../after-file.ts';
import { startApi } from '../harness.ts';

/** The attack: a member begins a large export, reads it slowly, and goes on reading after the administrator has removed it. */

const api = await startApi();
const admin = (await api.user('tenant-admin')).token;
const location = await api.location(admin, 'Otel Mavi');

const access = 'signed-in' as const;
const tree = { file: endpoint({ method: 'GET', path: '/v1/file', access, summary: 'A file', reply: 'csv' }) };
async function* endless(): AsyncGenerator<string> {
  for (;;) yield 'x'.repeat(100_000);
}

/** Begins a file as a member with these rights. */
async function begin(userId: string, rights: Rights): Promise<IncomingMessage> {
  const server = Fastify();
  const { role, team } = rights;
  const memberships = team
    ? [{ location_id: location, permissions: [...team.permissions], device_ids: team.deviceIds && [...team.deviceIds] }]
    : [];
  const actor = actorOf(
    {
      ...{ tenant_id: '', user_id: userId, token_id: '', role, memberships },
      ...{ active_location_id: location, time_zone: null, tenant_time_zone: 'UTC' },
    },
    null,
  );
  mount(
    server,
    tree,
    { file: endless },
    {
      context: async (request, reply) =>
        ({
          tenant: { id: api.tenantId },
          language: 'en',
          request,
          reply,
          inTenant: api.inTenant,
        }) as unknown as Context,
      actor: async () => actor,
      keepsRights: (_, it) => api.inTenant(tx => keepsRights(tx, it.userId, rightsOf(it))),
      reaches: async () => true,
      checkReplies: false,
      rightsMs: 0,
    },
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
  afterFile(() => {
    server.server.closeAllConnections();
    return server.close();
  });
  const { port } = server.server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1', path: '/v1/file', agent: false });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  await once(answer, 'readable');
  return answer;
}

/** Reads until the connection breaks. A complete file would end instead. */
const broken = async (answer: IncomingMessage): Promise<boolean> => {
  const over = new Promise<boolean>(resolve => {
    answer.on('error', () => resolve(true)).on('end', () => resolve(false));
  });
  answer.resume();
  return over;
};

const team = { locationId: location, permissions: ['view-clients'], deviceIds: null };
const member = async () => (await api.user('member', { location, permissions: ['view-clients'] })).id;
const change = (statement: ReturnType<typeof sql>) => api.inTenant(tx => tx.run(statement));

test('a member who was removed, or lost the permission, reads no further', async () => {
  const [removed, reduced, gone] = [await member(), await member(), await member()];
  const files = await Promise.all([removed, reduced, gone].map(id => begin(id, { role: 'member', team })));
  expect((await api.delete(`panel/location/${location}/user/${removed}`, { token: admin })).status).toBe(204);
  await change(sql`update location_members set permissions = '{}' where user_id = ${reduced}`);
  await change(sql`delete from users where id = ${gone}`);
  expect(await Promise.all(files.map(broken))).toEqual([true, true, true]);
});

test('one who keeps the rights reads on', async () => {
  const file = await begin(await member(), { role: 'member', team });
  let got = 0;
  for await (const part of file) {
    got += (part as Buffer).length;
    if (got > 20_000_000) break;
  }
  expect(got).toBeGreaterThan(20_000_000);
});
