import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, time } from './fields.ts';

/** How long a device that is unknown is remembered after its last packet, in hours. */
export const unknownDeviceHours = 2;

/**
 * Why the caller sees it. `proxy`: a trusted RADIUS proxy forwarded its packets and proved so. `device`: a device of the
 * caller, and of no other tenant, has proven its address. `caller`: the caller's browser has the same public address. The
 * last two prove nothing about the sender, because the source of a UDP packet can be forged.
 */
export const unknownDeviceTies = ['proxy', 'device', 'caller'] as const;

const named = z.object({ id, name: z.string() });

/** A router that sends RADIUS packets but is no device of this installation. */
export const unknownDevice = z.object({
  id,
  /** The NAS-Identifier of its packets, with unusual characters replaced; null if they have none. */
  nas_identifier: z.string().nullable(),
  /** The slug of the brand that the name fits; null: none. The name is not proven. */
  brand: z.string().nullable(),
  /** Its MAC address, if that is what it says it is. */
  mac_address: z.string().nullable(),
  /** Where its packets come from. Behind a proxy, the address of the proxy. */
  address: z.string(),
  seen_by: z.enum(unknownDeviceTies),
  proxy: named.nullable(),
  /** The device that has proven the address. */
  device: named.nullable(),
  packets: z.number(),
  first_at: time,
  last_at: time,
});
export type UnknownDevice = z.output<typeof unknownDevice>;

export const unknownDevicesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/unknown-device',
    access: 'store-devices',
    summary:
      'Routers that sent RADIUS packets in the last two hours and are not added yet, as far as they can be tied to the caller',
    reply: z.object({ data: z.array(unknownDevice) }),
  }),
} as const;
