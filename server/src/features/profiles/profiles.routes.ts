import type { profilesApi } from '@portico/contract/profiles.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listProfiles } from './profiles.queries.ts';
import { createProfile, deleteProfile, updateProfile } from './profiles.service.ts';

export const profilesRoutes: Handlers<typeof profilesApi> = {
  list: async call => {
    const scope = call.query.location_id ? call.actor.reach : call.actor.scope;
    return paged(call, await call.read(tx => listProfiles(tx, scope, call.query)));
  },
  create: async ({ actor, body, inTenant }) => ({ data: await inTenant(tx => createProfile(tx, actor, body)) }),
  update: async ({ actor, params, body, inTenant }) => ({
    data: await inTenant(tx => updateProfile(tx, actor, params.id, body)),
  }),
  delete: call => call.inTenant(tx => deleteProfile(tx, call, call.params.id, call.query.replacement_id)),
};
