import { formatMac } from '@portico/contract/mac.ts';
import { unpackRequest } from '#routers/watchguard/access-decision.ts';
import type { Door } from '../guest-context.ts';

/** Whether a guest's way back is one of the device's own: that of a Firebox names it, and the guest. */
export function isOfDevice({ brand, serial_number: serial }: Door, login: URL, mac: string): boolean {
  if (brand !== 'watchguard') return true;
  const request = unpackRequest(login);
  return request?.sn.toUpperCase() === serial?.toUpperCase() && formatMac(request?.mac ?? '') === mac;
}
