import type { LogSourceRow, logSourcesApi } from '@portico/contract/log-sources.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import * as queries from './log-sources.queries.ts';

const maxTrusted = 50;

export const logSourcesRoutes: Handlers<typeof logSourcesApi> = {
  list: async ({ actor, params, inTenant }) => ({
    data: await inTenant(async tx => {
      const { id } = found(await queries.findDevice(tx, actor.reach, params.id));
      return { trusted: await queries.listSources(tx, id), ...(await queries.listQuarantined(tx, id)) };
    }),
  }),
  trust: async ({ actor, params, body, inTenant }) => ({
    data: await inTenant(tx => trust(tx, actor, params.id, body.address)),
  }),
  distrust: ({ actor, params, inTenant }) => inTenant(tx => distrust(tx, actor, params)),
};

async function trust(tx: Tx, actor: Actor, deviceId: string, address: string): Promise<LogSourceRow> {
  const device = found(await queries.findDevice(tx, actor.reach, deviceId));
  if ((await queries.countTrusted(tx, deviceId)) >= maxTrusted) throw invalid({ address: 'too_many_sources' });
  const source = await queries.trustSource(tx, deviceId, address, actor.userId);
  await queries.clearQuarantine(tx, deviceId, source.address);
  await audit(tx, actor, {
    verb: 'create',
    subject: { type: 'log-source', id: source.id, name: `${device.name} ${source.address}` },
    locationId: device.location_id,
    deviceId,
    after: { address: source.address },
  });
  return source;
}

async function distrust(tx: Tx, actor: Actor, params: { id: string; sourceId: string }): Promise<void> {
  const device = found(await queries.findDevice(tx, actor.reach, params.id));
  const { id, address, proof } = found(await queries.deleteSource(tx, params.id, params.sourceId));
  await audit(tx, actor, {
    verb: 'delete',
    subject: { type: 'log-source', id, name: `${device.name} ${address}` },
    locationId: device.location_id,
    deviceId: params.id,
    before: { address, proof },
  });
}
