import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { id, idParams, time } from './fields.ts';

/** How an address was proven: RADIUS over TLS, RADIUS with the secret, a poll with the router's token, or trusted by an operator. */
export const sourceProofs = ['radsec', 'radius', 'poll', 'operator'] as const;

/** The retention of quarantined lines, in days. */
export const quarantineDays = 7;
/** The largest networks that can be trusted, as prefix lengths. */
export const shortestPrefix = { ipv4: 20, ipv6: 48 } as const;

/** An address from which log lines of the device are accepted. `expires_at` null: until an operator removes it. */
export const logSource = z.object({
  id,
  /** An address, or a network such as `203.0.113.0/24`. */
  address: z.string(),
  proof: z.enum(sourceProofs),
  proven_at: time,
  expires_at: time.nullable(),
});
export type LogSourceRow = z.output<typeof logSource>;

/** Lines that name the device but came from an unproven address. They never enter the legal record. */
export const quarantinedSource = z.object({
  address: z.string(),
  lines: z.number(),
  first_at: time,
  last_at: time,
  /** The latest lines, shortened; the newest is last. */
  samples: z.array(z.string()),
});
export type QuarantinedSource = z.output<typeof quarantinedSource>;

export const logSources = z.object({
  trusted: z.array(logSource),
  quarantined: z.array(quarantinedSource),
  /** The number of lines from further addresses. */
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
    summary: 'Accepted addresses of log lines of a device, and quarantined ones',
    params: idParams,
    reply: one(logSources),
  }),
  trust: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/log-sources',
    access: 'update-devices',
    summary: 'Trust an address or a network: its log lines are accepted from now on',
    params: idParams,
    body: trustForm,
    reply: one(logSource),
    status: 201,
  }),
  distrust: endpoint({
    method: 'DELETE',
    path: '/v1/panel/device/:id/log-sources/:sourceId',
    access: 'update-devices',
    summary: 'Remove an address; a proven one returns when the device proves it again',
    params: idParams.extend({ sourceId: id }),
    reply: 'none',
    status: 204,
  }),
} as const;
