import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { id } from './fields.ts';

/** The most devices of one request. Each may get a command and an entry in the audit log. */
const selected = z.object({ ids: z.array(id).min(1).max(200) });

/** `changed`: the devices to which the action applied. `skipped`: the others. */
const result = z.object({ changed: z.number(), skipped: z.number() });
export type DeviceSelectionResult = z.output<typeof result>;

/** One action on many devices. If one of them is out of the caller's reach, nothing changes. */
export const deviceSelectionApi = {
  hotspot: endpoint({
    method: 'POST',
    path: '/v1/panel/device/selected/hotspot',
    access: 'update-devices',
    summary:
      'Switch the hotspot of several devices on or off; those that have that state already, or whose service does not run, are skipped',
    body: selected.extend({ hotspot_status: z.boolean() }),
    reply: one(result),
    status: 200,
  }),
  delete: endpoint({
    method: 'POST',
    path: '/v1/panel/device/selected/delete',
    access: 'delete-devices',
    summary: 'Delete several devices; their open sessions are ended',
    body: selected,
    reply: one(result),
    status: 200,
  }),
} as const;
