import { withChange } from '@portico/contract/change.ts';
import {
  type MacForm,
  type MacRule,
  type Network,
  type NetworkChange,
  type NetworkForm,
  prefixLength,
} from '@portico/contract/networks.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { portalUsable, profileOf } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import { macVendor } from '#lib/mac-vendor.ts';
import { macsOfNetwork } from './commands.queries.ts';
import { pushMacs } from './commands.service.ts';
import { findPlace } from './devices.queries.ts';
import * as macs from './macs.queries.ts';
import * as queries from './networks.queries.ts';

interface Trace extends Pick<Entry, 'verb' | 'before' | 'after'> {
  readonly type: 'network' | 'mac-rule';
  readonly deviceId: string;
  readonly id: string;
  readonly name: string;
}

async function trace(tx: Tx, actor: Actor, { type, deviceId, id, name, ...what }: Trace): Promise<void> {
  const { location_id } = found(await findPlace(tx, actor.reach, deviceId));
  await audit(tx, actor, { ...what, subject: { type, id, name }, locationId: location_id, deviceId });
}

type At = { page: number; per_page: number };

export async function listNetworks(tx: Tx, actor: Actor, deviceId: string, at: At) {
  found(await findPlace(tx, actor.reach, deviceId));
  return queries.listNetworks(tx, deviceId, at);
}

/**
 * Checks a network against its device and location. The device is locked, so that two requests at once cannot overlap.
 */
async function checked(
  tx: Tx,
  actor: Actor,
  at: { deviceId: string; except: string | null },
  form: NetworkForm,
): Promise<queries.NetworkValues> {
  const { location_id } = found(await findPlace(tx, actor.reach, at.deviceId, 'lock'));
  if (at.except) found(await queries.findNetwork(tx, at.deviceId, at.except));
  const { name, start_ip, portal_id = null, profile_id = null } = form;
  if (portal_id && !(await portalUsable(tx, actor, portal_id, location_id))) throw invalid({ portal_id: 'unknown' });
  if (profile_id && !(await profileOf(tx, profile_id, location_id))) throw invalid({ profile_id: 'unknown' });
  const subnet = prefixLength(form.subnet)!;
  const isIpv6 = start_ip.includes(':');
  // A mask as an IPv4 address belongs to IPv4.
  if (isIpv6 ? form.subnet.includes('.') : subnet > 32) throw invalid({ subnet: 'subnet' });
  const other = await queries.findOverlap(tx, at.deviceId, { start_ip, subnet, except: at.except });
  if (other) throw invalid({ start_ip: ['overlap', { name: other.name }] });
  return { name, start_ip, subnet, portal_id, profile_id };
}

export async function createNetwork(tx: Tx, actor: Actor, deviceId: string, form: NetworkForm): Promise<Network> {
  const id = newId();
  const values = await checked(tx, actor, { deviceId, except: null }, form);
  await queries.insertNetwork(tx, id, deviceId, values);
  await trace(tx, actor, { type: 'network', deviceId, id, name: form.name, verb: 'create', after: values });
  return found(await queries.findNetwork(tx, deviceId, id));
}

export async function updateNetwork(
  tx: Tx,
  actor: Actor,
  at: { id: string; networkId: string },
  change: NetworkChange,
): Promise<Network> {
  found(await findPlace(tx, actor.reach, at.id, 'lock'));
  const before = found(await queries.findNetwork(tx, at.id, at.networkId));
  const form = withChange<NetworkForm>(before, change);
  // MAC rules name IPv4 networks only.
  if (form.start_ip.includes(':') !== before.start_ip.includes(':')) throw invalid({ start_ip: 'other_family' });
  await queries.updateNetwork(
    tx,
    at.networkId,
    await checked(tx, actor, { deviceId: at.id, except: at.networkId }, form),
  );
  const after = found(await queries.findNetwork(tx, at.id, at.networkId));
  // The router identifies the rules of a network by its addresses.
  await pushMacs(tx, { deviceId: at.id, userId: actor.userId }, await macsOfNetwork(tx, at.id, at.networkId));
  const subject = { type: 'network', deviceId: at.id, id: after.id, name: after.name } as const;
  await trace(tx, actor, { ...subject, verb: 'update', before, after });
  return after;
}

export async function deleteNetwork(tx: Tx, actor: Actor, at: { id: string; networkId: string }): Promise<void> {
  found(await findPlace(tx, actor.reach, at.id, 'lock'));
  const { id, name, start_ip, subnet } = found(await queries.findNetwork(tx, at.id, at.networkId));
  const macsThere = await macsOfNetwork(tx, at.id, at.networkId);
  await queries.deleteNetwork(tx, at.id, at.networkId);
  await pushMacs(tx, { deviceId: at.id, userId: actor.userId }, macsThere);
  await trace(tx, actor, { type: 'network', deviceId: at.id, id, name, verb: 'delete', before: { start_ip, subnet } });
}

const withVendor = async (rule: macs.StoredMac): Promise<MacRule> => ({ ...rule, vendor: await macVendor(rule.mac) });

export async function listMacs(tx: Tx, actor: Actor, deviceId: string, filter: macs.MacFilter) {
  found(await findPlace(tx, actor.reach, deviceId));
  const { rows, total } = await macs.listMacs(tx, deviceId, filter);
  return { rows: await Promise.all(rows.map(withVendor)), total };
}

/** Adds a rule. `other`: the type of a rule that the device already has for the same MAC. */
export async function createMac(
  tx: Tx,
  actor: Actor,
  deviceId: string,
  form: MacForm,
): Promise<{ rule: MacRule; other: MacRule['type'] | undefined }> {
  // Locked, so that no network is deleted between this check and the insert.
  found(await findPlace(tx, actor.reach, deviceId, 'lock'));
  const networks = [...new Set(form.networks)];
  if (form.networks?.length === 0 && (await queries.networkNames(tx, deviceId)).length)
    throw invalid({ networks: 'network_list_empty' });
  if (networks.length && (await queries.countNetworks(tx, deviceId, networks)) < networks.length)
    throw invalid({ networks: 'unknown' });
  const rule = await macs.insertMac(tx, newId(), deviceId, { ...form, networks });
  if (!rule) throw invalid({ mac: 'mac_listed' });
  await pushMacs(tx, { deviceId, userId: actor.userId }, [rule.mac]);
  const { id, mac: name, type, comment } = rule;
  await trace(tx, actor, { type: 'mac-rule', deviceId, id, name, verb: 'create', after: { type, comment, networks } });
  const other = (await macs.rulesFor(tx, deviceId, [rule.mac])).find(it => it.type !== rule.type)?.type;
  return { rule: await withVendor(rule), other };
}

export async function deleteMac(tx: Tx, actor: Actor, at: { id: string; macId: string }): Promise<void> {
  // Locked, so that the commands of two changes at once do not each leave the rule that the other one deletes.
  found(await findPlace(tx, actor.reach, at.id, 'lock'));
  const { id, mac: name, type, comment } = found(await macs.deleteMac(tx, at.id, at.macId));
  await pushMacs(tx, { deviceId: at.id, userId: actor.userId }, [name]);
  await trace(tx, actor, { type: 'mac-rule', deviceId: at.id, id, name, verb: 'delete', before: { type, comment } });
}
