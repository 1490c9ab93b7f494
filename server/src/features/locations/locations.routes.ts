import type { locationsApi } from '@portico/contract/locations.ts';
import { found } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { findLocation, listLocations } from './locations.queries.ts';
import {
  contentsOf,
  createLocation,
  deleteLocation,
  licenseLocation,
  putLocation,
  updateLocation,
} from './locations.service.ts';

export const locationsRoutes: Handlers<typeof locationsApi> = {
  list: async call => {
    const { name, search, ...query } = call.query;
    const filter = { ...query, name: name ?? search };
    return paged(call, await call.read(tx => listLocations(tx, call.actor, filter)));
  },
  create: async ({ app, actor, body, inTenant }) => ({
    data: await inTenant(tx => createLocation(tx, app, actor, body)),
  }),
  get: async ({ actor, params, inTenant }) => ({
    data: found(await inTenant(tx => findLocation(tx, actor, params.id))),
  }),
  update: async ({ actor, params, body, inTenant }) => ({
    data: await inTenant(tx => updateLocation(tx, actor, params.id, body)),
  }),
  putByExternalId: async call => {
    const { made, data } = await call.inTenant(tx => putLocation(tx, call, call.params.externalId));
    if (made) call.reply.code(201);
    return { data };
  },
  contents: async ({ actor, params, inTenant }) => ({
    data: await inTenant(tx => contentsOf(tx, actor, params.id)),
  }),
  delete: ({ actor, params, inTenant }) => inTenant(tx => deleteLocation(tx, actor, params.id)),
  license: async ({ actor, params, body, inTenant }) => ({
    data: await inTenant(tx => licenseLocation(tx, actor, params.id, body)),
  }),
};
