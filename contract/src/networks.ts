import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, ipAddress, ipv4, mac, name, notDeleted, optionalId, pageQuery, text, time } from './fields.ts';
import { importPreviewOf } from './import-preview.ts';

export const macTypes = ['bypassed', 'blocked'] as const;

const named = z.object({ id, name: z.string() });

/** The prefix length of `24`, `/24`, `255.255.255.0`, or `64` of an IPv6 network; undefined for any other text. */
export function prefixLength(mask: string): number | undefined {
  const length = /^\/?(\d{1,3})$/.exec(mask)?.[1];
  if (length !== undefined) return Number(length) >= 1 && Number(length) <= 128 ? Number(length) : undefined;
  if (!ipv4.safeParse(mask).success) return undefined;
  const bits = mask
    .split('.')
    .map(part => Number(part).toString(2).padStart(8, '0'))
    .join('');
  return /^1+0*$/.test(bits) ? bits.lastIndexOf('1') + 1 : undefined;
}

export const networkForm = z.object({
  name,
  /** IPv4 or IPv6. */
  start_ip: ipAddress,
  subnet: z
    .union([z.string(), z.number()])
    .transform(value => String(value).trim())
    .refine(value => prefixLength(value) !== undefined, 'subnet'),
  portal_id: optionalId,
  profile_id: optionalId,
});
export type NetworkForm = z.output<typeof networkForm>;
const networkChange = changeOf(networkForm);
export type NetworkChange = z.output<typeof networkChange>;

/** A guest network behind a device. `subnet` is the prefix length, such as `24`, or `64` of an IPv6 network. */
export const network = z.object({
  id,
  name: z.string(),
  start_ip: z.string(),
  subnet: z.string(),
  portal_id: id.nullable(),
  profile_id: id.nullable(),
  portal: named.nullable(),
  profile: named.nullable(),
  created_at: time,
  updated_at: time,
  deleted_at: notDeleted,
});
export type Network = z.output<typeof network>;

/** `networks`: where the rule applies. Omitted or null: all networks of the device. */
export const macForm = z.object({
  mac,
  type: z.enum(macTypes),
  comment: text.nullish().transform(value => value ?? ''),
  networks: z.array(id).max(100).nullish(),
});
export type MacForm = z.output<typeof macForm>;

/** `vendor`: the manufacturer of the MAC; null if unknown or locally administered. */
export const macRule = z.object({
  id,
  mac: z.string(),
  vendor: z.string().nullable(),
  type: z.enum(macTypes),
  comment: z.string(),
  networks: z.array(id),
  created_at: time,
});
export type MacRule = z.output<typeof macRule>;

/** Limits of an import of MAC rules. */
export const macImportLimits = { bytes: 1024 * 1024, rows: 5000 } as const;

/** `networks`: by name. */
export const macImportPreview = importPreviewOf(
  z.object({
    line: z.number(),
    mac: z.string(),
    type: z.enum(macTypes),
    comment: z.string(),
    networks: z.array(z.string()),
  }),
);
export type MacImportPreview = z.output<typeof macImportPreview>;

const macImportResult = z.object({ created: z.number() });

const networkParams = z.object({ id, networkId: id });
const macParams = z.object({ id, macId: id });

export const networksApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/network',
    access: 'view-devices',
    summary: 'Guest networks of a device',
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(network),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/network',
    access: 'update-devices',
    summary: 'Add a guest network',
    params: idParams,
    body: networkForm,
    reply: one(network),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/device/:id/network/:networkId',
    access: 'update-devices',
    summary: 'Change a guest network',
    params: networkParams,
    body: networkChange,
    reply: one(network),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/device/:id/network/:networkId',
    access: 'update-devices',
    summary: 'Delete a guest network',
    params: networkParams,
    reply: 'none',
  }),
} as const;

export const macsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/macs',
    access: 'view-devices',
    summary: 'Allowed and blocked MAC addresses of a device; `mac` matches any part',
    params: idParams,
    query: z.object({ ...pageQuery(), type: z.enum(macTypes).optional(), mac: text.optional() }),
    reply: page(macRule),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/macs',
    access: 'update-devices',
    summary: 'Allow or block a MAC address; `warnings` reports if the other list has it too',
    params: idParams,
    body: macForm,
    reply: one(macRule).extend({ warnings: z.array(z.string()) }),
    status: 201,
  }),
  export: endpoint({
    method: 'GET',
    path: '/v1/panel/device/:id/macs/export',
    access: 'view-devices',
    summary: 'All MAC rules of a device as CSV, in the language of the caller; the file can be imported again',
    params: idParams,
    reply: 'csv',
  }),
  preview: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/macs/import/preview',
    access: 'update-devices',
    summary: 'Preview the import of a CSV file with the problems of each line; changes nothing',
    params: idParams,
    upload: { maxBytes: macImportLimits.bytes },
    body: z.object({}),
    reply: one(macImportPreview),
    status: 200,
  }),
  import: endpoint({
    method: 'POST',
    path: '/v1/panel/device/:id/macs/import',
    access: 'update-devices',
    summary: 'Import the MAC rules of a CSV file: all of them, or none if a line has a problem',
    params: idParams,
    upload: { maxBytes: macImportLimits.bytes },
    body: z.object({}),
    reply: one(macImportResult),
    status: 201,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/device/:id/macs/:macId',
    access: 'update-devices',
    summary: 'Remove a MAC address from its list',
    params: macParams,
    reply: 'none',
  }),
} as const;
