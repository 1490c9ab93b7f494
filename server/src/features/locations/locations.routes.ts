import type { Language } from '@portico/contract/errors.ts';
import type { Location, locationsApi } from '@portico/contract/locations.ts';
import { say } from '@portico/contract/validation.ts';
import { orMisspelled } from '#db/misspelled.ts';
import { disconnectGuests } from '#features/sessions/public.ts';
import { found } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { findLocation, listLocations } from './locations.queries.ts';
import {
  choicesOf,
  contentsOf,
  createLocation,
  deleteLocation,
  licenseLocation,
  putLocation,
  requireDeletable,
  updateLocation,
} from './locations.service.ts';

interface Saving {
  readonly body: { mac_whitelist?: readonly string[] | undefined; mac_blacklist?: readonly string[] | undefined };
  readonly language: Language;
}

/** Replies with a saved location. Sent lists of MAC addresses may contradict each other, as rules of a device may. */
function saved(data: Location, { body, language }: Saving): { data: Location; warnings: string[] } {
  if (!body.mac_whitelist && !body.mac_blacklist) return { data, warnings: [] };
  const blocked = new Set(data.mac_blacklist);
  const both = data.mac_whitelist.filter(mac => blocked.has(mac));
  const macs = both.slice(0, 5).join(', ') + (both.length > 5 ? ', …' : '');
  return { data, warnings: both.length > 0 ? [say('macs_in_both', language, { macs })] : [] };
}

export const locationsRoutes: Handlers<typeof locationsApi> = {
  list: async call => {
    const { name, search, ...query } = call.query;
    const filter = { ...query, name: name ?? search };
    const rows = await call.read(tx =>
      orMisspelled('locations', call.actor.reach, { ...filter, search: filter.name }, like =>
        listLocations(tx, call.actor, filter, like),
      ),
    );
    return paged(call, rows);
  },
  create: async call => saved(await call.inTenant(tx => createLocation(tx, call.app, call.actor, call.body)), call),
  get: async ({ actor, params, inTenant }) => ({
    data: found(await inTenant(tx => findLocation(tx, actor, params.id))),
  }),
  update: async call =>
    saved(await call.inTenant(tx => updateLocation(tx, call.actor, call.params.id, call.body)), call),
  putByExternalId: async call => {
    const { made, data } = await call.inTenant(tx => putLocation(tx, call, call.params.externalId));
    if (made) call.reply.code(201);
    return saved(data, call);
  },
  contents: async ({ actor, params, inTenant }) => ({
    data: await inTenant(tx => contentsOf(tx, actor, params.id)),
  }),
  choices: async ({ actor, params, read }) => ({ data: await read(tx => choicesOf(tx, actor, params.id)) }),
  delete: async call => {
    const { actor, params, inTenant } = call;
    await inTenant(tx => requireDeletable(tx, actor, params.id));
    await disconnectGuests(call, actor, { locationId: params.id });
    await inTenant(tx => deleteLocation(tx, actor, params.id));
  },
  license: async ({ actor, params, body, inTenant }) => ({
    data: await inTenant(tx => licenseLocation(tx, actor, params.id, body)),
  }),
};
