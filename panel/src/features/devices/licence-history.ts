import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';

/** The changes of a device's licence, out of the latest 200 entries that the audit log keeps about devices of its location. */
export const useLicenceHistory = (device: DeviceDetail) =>
  useQuery({
    ...queryOf(api.audit.list, {
      query: { subject_type: 'device', verb: 'update', location_id: device.location_id, per_page: 200 },
    }),
    select: page => ({
      data: page.data.filter(
        ({ subject, before, after }) =>
          subject.id === device.id && (after?.license_end_at ?? null) !== (before?.license_end_at ?? null),
      ),
    }),
  });
