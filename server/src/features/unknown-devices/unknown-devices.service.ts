import { formatMac } from '@portico/contract/mac.ts';
import type { UnknownDevice } from '@portico/contract/unknown-devices.ts';
import { type Actor, isLimited } from '#http/actor.ts';
import type { Context } from '#http/call.ts';
import { callerNetwork } from '#lib/caller-network.ts';
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
export async function listUnknownDevices({
  app,
  actor,
  inTenant,
}: Context & { actor: Actor }): Promise<UnknownDevice[]> {
  const { tenantId, ip, reach } = actor;
  const network = ip === null || isInside(ip) ? null : callerNetwork(ip);
  const strangers = await app.db.withSystem(tx => queries.findStrangers(tx, { tenantId, callerNetwork: network }));
  const addresses = strangers.filter(it => it.at_tenant).map(it => it.address);
  const [forwarded, provers] = await inTenant(async tx => [
    isLimited(actor) ? [] : await queries.findForwarded(tx, reach),
    addresses.length > 0 ? await queries.findProvers(tx, reach, addresses) : [],
  ]);
  const proverOf = new Map(provers.map(it => [it.address, it.device]));
  return [
    ...forwarded.map(it => ({ ...it, ...guessed(it), seen_by: 'proxy' as const, device: null })),
    ...strangers.flatMap(({ at_caller, at_tenant, ...it }): UnknownDevice[] => {
      const device = (at_tenant && proverOf.get(it.address)) || null;
      if (!device && !at_caller) return [];
      return [{ ...it, ...guessed(it), seen_by: device ? 'device' : 'caller', device, proxy: null }];
    }),
  ];
}
