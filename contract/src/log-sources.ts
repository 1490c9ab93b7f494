import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { id, idParams, time } from './fields.ts';

/** How an address was proven: RADIUS over TLS, RADIUS with the secret, a poll with the router's token, or an operator trusts it. */
export const sourceProofs = ['radsec', 'radius', 'poll', 'operator'] as const;

/** Lines from addresses that are not proven are kept for so many days. */
export const quarantineDays = 7;
/** The largest networks that can be trusted, as prefix lengths. */
export const shortestPrefix = { ipv4: 20, ipv6: 48 } as const;

/** An address whose log lines count for the device. `expires_at` null: until an operator removes it. */
export const logSource = z.object({
  id,
  /** An address, or a network such as `203.0.113.0/24`. */
  address: z.string(),
  proof: z.enum(sourceProofs),
  proven_at: time,
  expires_at: time.nullable(),
});
export type LogSourceRow = z.output<typeof logSource>;

/** Lines that named the device and came from an address that is not proven. They are never evidence. */
export const quarantinedSource = z.object({
  address: z.string(),
  lines: z.number(),
  first_at: time,
  last_at: time,
  /** The latest of them, shortened; the newest is last. */
  samples: z.array(z.string()),
});
export type QuarantinedSource = z.output<typeof quarantinedSource>;

export const logSources = z.object({
  trusted: z.array(logSource),
  quarantined: z.array(quarantinedSource),
  /** Lines from further addresses, which are counted together. */
  other_lines: z.number(),
});

/** Whether a text is an address or network that an operator may trust. */
function trustable(text: string): boolean {
  const [address = '', prefix] = text.split('/');
  const family = z.ipv4().safeParse(address).success ? 'ipv4' : 'ipv6';
  return prefix === undefined || Number(prefix) >= shortestPrefix[family];
}

export const trustForm = z.object({
  address: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'source_address'))
    .refine(trustable, 'source_prefix'),
});
export type TrustForm = z.output<typeof trustForm>;

export const logSourcesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/log-sources',
    access: 'view-devices',
    summary: 'The addresses whose log lines count for a device, and those whose lines are quarantined',
    params: idParams,
    reply: one(logSources),
  }),
  trust: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/log-sources',
    access: 'update-devices',
    summary: 'Trust an address or a network: its log lines count for the device from now on',
    params: idParams,
    body: trustForm,
    reply: one(logSource),
    status: 201,
  }),
  distrust: endpoint({
    method: 'DELETE',
    path: '/v1/panel/device/:id/log-sources/:sourceId',
    access: 'update-devices',
    summary: 'Stop trusting an address. A proven address comes back when the device proves it again',
    params: idParams.extend({ sourceId: id }),
    reply: 'none',
    status: 204,
  }),
} as const;
