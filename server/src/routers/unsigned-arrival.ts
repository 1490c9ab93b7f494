import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';

/** The values that a driver reads from an arrival that the gateway did not sign with this device's secret. */
export const unsignedArrival: GuestArrival = guestArrival.parse({});
