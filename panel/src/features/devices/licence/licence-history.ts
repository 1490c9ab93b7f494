import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';

/** Licence changes among the latest 200 audit entries of a device. */
export const useLicenceHistory = (device: DeviceDetail) =>
  useQuery({
    ...queryOf(api.audit.list, {
      query: { subject_type: 'device', subject_id: device.id, verb: 'update', per_page: 200 },
    }),
    select: page => ({
      data: page.data.filter(
        ({ before, after }) => (after?.license_end_at ?? null) !== (before?.license_end_at ?? null),
      ),
    }),
  });
