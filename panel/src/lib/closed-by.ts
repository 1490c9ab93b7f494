import type { LocationService } from '@portico/contract/visitor-kinds.ts';
import { showsLicences } from '#lib/tenant.ts';

/** Why a location serves no guests. Reseller hosts show no licences. */
export const closedBy = (service: Exclude<LocationService, 'running'>) =>
  service === 'ended' && !showsLicences() ? 'closed' : service;
