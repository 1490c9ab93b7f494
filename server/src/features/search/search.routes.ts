import { type SearchHit, type searchApi, shortestSearch } from '@portico/contract/search.ts';
import { misspelledIn, misspellings } from '#db/misspelled.ts';
import type { Tx } from '#db/tenant.ts';
import { findDevices } from '#features/devices/public.ts';
import { findLocations } from '#features/locations/public.ts';
import { findPortals } from '#features/portals/public.ts';
import { findClients, findOnlineOf, foundFailures } from '#features/sessions/public.ts';
import { findVisitors } from '#features/visitors/public.ts';
import { findBatches } from '#features/vouchers/public.ts';
import { type Actor, may } from '#http/actor.ts';
import type { Handlers } from '#http/call.ts';
import type { App } from '#lib/app.ts';

interface By {
  readonly app: App;
  readonly tx: Tx;
  readonly actor: Actor;
}

/** The number of hits of each kind. */
const perKind = 6;

export const searchRoutes: Handlers<typeof searchApi> = {
  find: async ({ app, actor, query: { search }, read }) => ({
    data: search.length < shortestSearch ? [] : await read(tx => find({ app, tx, actor }, search)),
  }),
};

/** Finds matches. Without any, finds those that would match without one typing error. */
async function find(by: By, search: string): Promise<SearchHit[]> {
  const matching = await findMatching(by, search);
  return matching.length > 0 || misspellings(search).length === 0 ? matching : findMisspelled(by, search);
}

/** Each kind needs the permission of its list. The locations are all that the caller may see, not the active one only. */
async function findMatching(by: By, search: string): Promise<SearchHit[]> {
  const { tx, actor } = by;
  const { reach } = actor;
  const readsPersonalData = may(actor, 'view-clients');
  const seesSessions = may(actor, 'view-basic-stats');
  const viewer = { scope: reach, readsPersonalData };
  const [visitors, clients, devices, portals, batches, locations, failures] = await Promise.all([
    readsPersonalData ? findVisitors(tx, reach, search, perKind) : [],
    seesSessions ? findClients(tx, viewer, search, perKind) : [],
    may(actor, 'view-devices') ? findDevices(tx, reach, search, perKind) : [],
    may(actor, 'view-portals') ? findPortals(tx, actor, search, perKind) : [],
    may(actor, 'view-vouchers') ? findBatches(tx, reach, search, perKind) : [],
    findLocations(tx, actor, search, perKind),
    seesSessions ? foundFailures(by, search, perKind) : [],
  ]);
  const ids = seesSessions ? visitors.map(it => it.id) : [];
  const found = new Set(clients.map(it => it.id));
  const sessions = ids.length > 0 ? (await findOnlineOf(tx, viewer, ids, perKind)).filter(it => !found.has(it.id)) : [];
  return [
    ...visitors.map(({ name, ...it }) => ({ kind: 'visitor' as const, title: name, ...it })),
    ...sessions,
    ...clients,
    ...failures,
    ...named({ devices, portals, batches, locations }),
  ];
}

/** Things with a name. Visitors are found despite an error already. */
async function findMisspelled({ tx, actor }: By, search: string): Promise<SearchHit[]> {
  const [devices, portals, batches, locations] = await Promise.all([
    may(actor, 'view-devices')
      ? findDevices(tx, actor.reach, search, perKind, misspelledIn('devices', actor.reach))
      : [],
    may(actor, 'view-portals') ? findPortals(tx, actor, search, perKind, misspelledIn('portals', actor.reach)) : [],
    may(actor, 'view-vouchers')
      ? findBatches(tx, actor.reach, search, perKind, misspelledIn('voucher_batches', actor.reach))
      : [],
    findLocations(tx, actor, search, perKind, misspelledIn('locations', actor.reach)),
  ]);
  return named({ devices, portals, batches, locations });
}

interface Named {
  readonly devices: Awaited<ReturnType<typeof findDevices>>;
  readonly portals: Awaited<ReturnType<typeof findPortals>>;
  readonly batches: Awaited<ReturnType<typeof findBatches>>;
  readonly locations: Awaited<ReturnType<typeof findLocations>>;
}

const named = ({ devices, portals, batches, locations }: Named): SearchHit[] => [
  ...devices.map(({ name, ...it }) => ({ kind: 'device' as const, title: name, ...it })),
  ...portals.map(({ name, ...it }) => ({ kind: 'portal' as const, title: name, detail: null, ...it })),
  ...batches.map(({ name, ...it }) => ({ kind: 'batch' as const, title: name, detail: null, ...it })),
  ...locations.map(it => ({ kind: 'location' as const, id: it.id, title: it.name, detail: it.city, location: null })),
];
