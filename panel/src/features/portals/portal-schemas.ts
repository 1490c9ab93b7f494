import { portalForm, portalsApi } from '@portico/contract/portals.ts';

/** What the forms of a portal send. */
export const newPortal = portalsApi.create.body;
export const generalPortal = portalForm.pick({ name: true, color_scheme: true }).required();
