import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { idParams, numeric } from './fields.ts';

export const licenceYears = numeric(z.number()).pipe(z.literal([1, 2, 3]));

export const licencesApi = {
  request: endpoint({
    method: 'POST',
    path: '/v1/panel/location/:id/license-request',
    access: 'update-location',
    location: 'id',
    summary: "Ask the tenant's administrators for a licence of 1, 2 or 3 years (a notification and a mail)",
    params: idParams,
    body: z.object({ year: licenceYears }),
    reply: 'none',
  }),
} as const;
