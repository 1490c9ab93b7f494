import type { licencesApi } from '@portico/contract/licences.ts';
import type { Handlers } from '#http/call.ts';
import { requestLicence } from './licences.service.ts';

export const licencesRoutes: Handlers<typeof licencesApi> = {
  request: call => requestLicence(call, call.actor, { locationId: call.params.id, years: call.body.year }),
};
