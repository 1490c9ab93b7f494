import type { tenantsApi } from '@portico/contract/tenants.ts';
import type { Handlers } from '#http/call.ts';
import { addDomain, checkDomain, listDomains, removeDomain } from './domains.service.ts';
import { getSettings, keepBrandImage, updateSettings } from './settings.service.ts';

export const tenantsRoutes: Handlers<typeof tenantsApi> = {
  get: async call => ({ data: await getSettings(call) }),
  update: async call => ({ data: await updateSettings(call, call.actor, call.body) }),
  uploadImage: async call => ({ data: await keepBrandImage(call, call.actor, call.file) }),
  domains: async ({ inTenant }) => ({ data: await inTenant(listDomains) }),
  createDomain: async call => ({ data: await addDomain(call, call.actor, call.body) }),
  checkDomain: async call => ({ data: await checkDomain(call, call.actor, call.params.host) }),
  deleteDomain: call => removeDomain(call, call.actor, call.params.host),
};
