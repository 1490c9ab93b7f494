import { formatMac } from '@portico/contract/mac.ts';
import type { UnknownDevice } from '@portico/contract/unknown-devices.ts';
import type { Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { tellWebhooks, tenantsToTell } from '#db/webhook-event.ts';
import { type Actor, isLimited } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import type { App } from '#lib/app.ts';
import { callerNetwork } from '#lib/caller-network.ts';
import { eachApart } from '#lib/each-apart.ts';
import { isInside } from '#lib/outbound.ts';
import { brandByName } from '#routers/drivers.ts';
import * as queries from './unknown-devices.queries.ts';

/** Access points often name themselves by their MAC, with or without the network's name behind it. */
const macName = /^([0-9a-f]{2}[:-]?){5}[0-9a-f]{2}(?![0-9a-f])/i;

const guessed = ({ nas_identifier: name }: { nas_identifier: string | null }) => {
  const mac = macName.exec(name ?? '')?.[0];
  return { brand: brandByName(name ?? '') ?? null, mac_address: mac === undefined ? null : formatMac(mac) };
};

/**
 * The unknown devices that can be tied to the caller. A private address proves no tie: behind a reverse proxy or a
 * container's bridge, all callers and all routers share it.
 */
export async function listUnknownDevices({ app, actor, inTenant }: Context & { actor: Actor }) {
  const { tenantId, ip, reach } = actor;
  const network = ip === null || isInside(ip) ? null : callerNetwork(ip);
  const strangers = await app.db.withSystem(tx => queries.findStrangers(tx, { tenantId, callerNetwork: network }));
  return inTenant(tx => tie(tx, strangers, { reach, limited: isLimited(actor) }));
}

type Stranger = Awaited<ReturnType<typeof queries.findStrangers>>[number];

async function tie(tx: Tx, strangers: readonly Stranger[], it: { reach: Scope; limited: boolean }) {
  const addresses = strangers.filter(found => found.at_tenant).map(found => found.address);
  const forwarded = it.limited ? [] : await queries.findForwarded(tx, it.reach);
  const provers = addresses.length > 0 ? await queries.findProvers(tx, it.reach, addresses) : [];
  const proverOf = new Map(provers.map(found => [found.address, found.device]));
  return [
    ...forwarded.map(found => ({ ...found, ...guessed(found), seen_by: 'proxy' as const, device: null })),
    ...strangers.flatMap(({ at_caller, at_tenant, ...found }): UnknownDevice[] => {
      const device = (at_tenant && proverOf.get(found.address)) || null;
      if (!device && !at_caller) return [];
      return [{ ...found, ...guessed(found), seen_by: device ? 'device' : 'caller', device, proxy: null }];
    }),
  ];
}

/**
 * Tells the webhooks of tenants of the unknown devices that an administrator would see from any place. A name from an address
 * can be forged, so there is one event a day for an address, not for each name. Names behind a proxy are proven by its secret.
 */
export async function tellUnknown(app: App): Promise<void> {
  const event = 'unknown_device.seen';
  const today = new Date().toISOString().slice(0, 10);
  await eachApart(app, await app.db.withSystem(tx => tenantsToTell(tx, event)), async ({ id: tenantId }) => {
    const strangers = await app.db.withSystem(tx => queries.findStrangers(tx, { tenantId, callerNetwork: null }));
    await app.db.withTenant(tenantId, async tx => {
      for (const it of await tie(tx, strangers, { reach: { kind: 'tenant' }, limited: false })) {
        const { nas_identifier, address, packets, first_at, proxy, device } = it;
        const data = {
          nas_identifier,
          address,
          packets,
          first_at,
          proxy_id: proxy?.id ?? null,
          device_id: device?.id ?? null,
        };
        const sender = proxy ? `${proxy.id}:${nas_identifier}` : address;
        await tellWebhooks(tx, null, event, data, `${event}:${sender}:${today}`);
      }
    });
  });
}
