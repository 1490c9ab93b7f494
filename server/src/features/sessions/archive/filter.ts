import { isIPv4 } from 'node:net';
import type { Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import { invalid } from '#http/app-error.ts';
import { type HistoryFilter, maxAddressed, resolveFilter, type Viewer } from '../sessions.queries.ts';
import { within } from './across.ts';
import { type ArchivedBatch, locationsIn, momentsOf, zonesOf } from './archive.queries.ts';
import type { ArchiveFilter, Span } from './archive-store.ts';

/** The scope of a reader. An owner's locations are looked up here, because the archive does not know owners. */
export async function scopeFilter(
  tx: Tx,
  scope: Scope,
): Promise<{ locations?: readonly string[]; devices: (readonly string[])[] }> {
  if (scope.kind === 'tenant') return { devices: [] };
  if (scope.kind === 'owned') return { locations: await locationsIn(tx, scope), devices: [] };
  return { locations: scope.ids, devices: scope.deviceIds ? [scope.deviceIds] : [] };
}

/** The filter of the archive for a MAC or IP address, as andGuestIndexed is for PostgreSQL. */
export function guestFilter(mac: string | undefined, ip: string | undefined): ArchiveFilter {
  const digits = mac?.replace(/[^0-9A-Z]/gi, '').toLowerCase();
  const asked: ArchiveFilter = !digits ? {} : /^[0-9a-f]{12}$/.test(digits) ? { mac: digits } : { macPart: digits };
  // IPv6 addresses are looked up in PostgreSQL.
  if (!ip || ip.includes(':')) return asked;
  if (isIPv4(ip)) return { ...asked, ip };
  return /^[0-9.]+$/.test(ip) ? { ...asked, ipPart: ip } : { ...asked, ids: [] };
}

/** The filter of the history for the archive. Only the time, if no batch has sessions of it. */
export async function archiveFilterOf(
  tx: Tx,
  viewer: Viewer,
  filter: HistoryFilter,
  batches: readonly ArchivedBatch[],
): Promise<{ span: Span; filter: ArchiveFilter; touches: boolean }> {
  const { since, until, zone } = filter;
  const span = await momentsOf(tx, since, until);
  if (within(batches, span).length === 0) return { span, filter: {}, touches: false };
  const [zones, scope, { found, sessions }] = await Promise.all([
    zone ? zonesOf(tx, { since, until, zone }) : [],
    scopeFilter(tx, viewer.scope),
    resolveFilter(tx, viewer, filter),
  ]);
  if (sessions && sessions.length > maxAddressed) throw invalid({ user_ip: 'more_of_address' });
  const guest = guestFilter(filter.client_mac, filter.user_ip);
  return {
    span,
    touches: true,
    filter: {
      ...guest,
      began: span,
      zones,
      locations: scope.locations,
      devices: [...scope.devices, ...(filter.deviceIds ? [filter.deviceIds] : [])],
      ...(sessions ? { ids: sessions } : {}),
      found,
    },
  };
}
