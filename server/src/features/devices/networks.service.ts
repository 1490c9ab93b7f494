import {
  type MacForm,
  type MacRule,
  type Network,
  type NetworkForm,
  prefixLength,
} from '@portico/contract/networks.ts';
import type { Tx } from '#db/tenant.ts';
import { portalUsable, profileOf } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid, notFound } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import { findPlace } from './devices.queries.ts';
import * as macs from './macs.queries.ts';
import * as queries from './networks.queries.ts';

type At = { page: number; per_page: number };

export async function listNetworks(tx: Tx, actor: Actor, deviceId: string, at: At) {
  found(await findPlace(tx, actor.reach, deviceId));
  return queries.listNetworks(tx, deviceId, at);
}

/** Checks a network against its device and location; the device is locked, so that two cannot overlap by coming at once. */
async function checked(
  tx: Tx,
  actor: Actor,
  at: { deviceId: string; but: string | null },
  form: NetworkForm,
): Promise<queries.NetworkValues> {
  const { location_id } = found(await findPlace(tx, actor.reach, at.deviceId, 'lock'));
  if (at.but) found(await queries.findNetwork(tx, at.deviceId, at.but));
  const { name, start_ip, portal_id = null, profile_id = null } = form;
  if (portal_id && !(await portalUsable(tx, actor, portal_id, location_id))) throw invalid({ portal_id: 'unknown' });
  if (profile_id && !(await profileOf(tx, profile_id, location_id))) throw invalid({ profile_id: 'unknown' });
  const subnet = prefixLength(form.subnet)!;
  const other = await queries.findOverlap(tx, at.deviceId, { start_ip, subnet, but: at.but });
  if (other) throw invalid({ start_ip: ['overlap', { name: other.name }] });
  return { name, start_ip, subnet, portal_id, profile_id };
}

export async function createNetwork(tx: Tx, actor: Actor, deviceId: string, form: NetworkForm): Promise<Network> {
  const id = newId();
  await queries.insertNetwork(tx, id, deviceId, await checked(tx, actor, { deviceId, but: null }, form));
  return found(await queries.findNetwork(tx, deviceId, id));
}

export async function updateNetwork(
  tx: Tx,
  actor: Actor,
  at: { id: string; networkId: string },
  form: NetworkForm,
): Promise<Network> {
  await queries.updateNetwork(tx, at.networkId, await checked(tx, actor, { deviceId: at.id, but: at.networkId }, form));
  return found(await queries.findNetwork(tx, at.id, at.networkId));
}

export async function deleteNetwork(tx: Tx, actor: Actor, at: { id: string; networkId: string }): Promise<void> {
  found(await findPlace(tx, actor.reach, at.id));
  found(await queries.findNetwork(tx, at.id, at.networkId));
  await queries.deleteNetwork(tx, at.id, at.networkId);
}

export async function listMacs(tx: Tx, actor: Actor, deviceId: string, filter: macs.MacFilter) {
  found(await findPlace(tx, actor.reach, deviceId));
  return macs.listMacs(tx, deviceId, filter);
}

export async function createMac(tx: Tx, actor: Actor, deviceId: string, form: MacForm): Promise<MacRule> {
  found(await findPlace(tx, actor.reach, deviceId));
  const networks = [...new Set(form.networks)];
  if (networks.length && (await queries.countNetworks(tx, deviceId, networks)) < networks.length)
    throw invalid({ networks: 'unknown' });
  const rule = await macs.insertMac(tx, newId(), deviceId, { ...form, networks });
  if (!rule) throw invalid({ mac: 'taken' });
  return rule;
}

export async function deleteMac(tx: Tx, actor: Actor, at: { id: string; macId: string }): Promise<void> {
  found(await findPlace(tx, actor.reach, at.id));
  if (!(await macs.deleteMac(tx, at.id, at.macId))) throw notFound();
}
