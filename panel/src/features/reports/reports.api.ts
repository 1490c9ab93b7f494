import type { reversalForm } from '@portico/contract/sales.ts';
import type { MacSession } from '@portico/contract/sessions.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { ApiError, call, queryOf } from '#lib/client.ts';
import { daysOf } from '#lib/day-range.ts';
import { useCan } from '#lib/permissions.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';
import type { Sorting } from '#ui/sorting.ts';

export const useMacSessions = (search: ListSearch, { order }: Sorting) =>
  useList({
    ...queryOf(api.sessions.byMac, { query: { client_mac: search.mac, order, ...pagingOf(search, 100) } }),
    ...everyMinute,
  });

/** The fixed comment of these blocks in every language (document 2, section 8). */
const comment = 'çoklu oturum tespiti';

/** The report leaves out blocked devices, so the refresh removes the row. */
export function useBlockMac() {
  const { t } = useTranslation('reports');
  const send = async ({ device_id, client_mac }: MacSession) => {
    const body = { mac: client_mac, type: 'blocked', comment } as const;
    try {
      await call(api.devices.macs.create, { params: { id: device_id }, body });
    } catch (error) {
      // Already blocked by another user.
      if (!(error instanceof ApiError && error.status === 422 && error.errors.mac)) throw error;
    }
  };
  return useChange({ send, refresh: [api.sessions.byMac, api.devices.macs.list], done: t('blocked') });
}

/** Device names by id. Empty for users who may not see devices. */
export function useDeviceNames(): ReadonlyMap<string, string> {
  const enabled = useCan()('view-devices');
  const devices = useQuery({ ...queryOf(api.devices.list, { query: { per_page: 1000 } }), enabled }).data?.data ?? [];
  return new Map(devices.map(device => [device.id, device.name]));
}

/** The filters of the sales in the address. */
export const saleFilterOf = (search: ListSearch) => ({ location_id: search.location, ...daysOf(search.days) });

export const useSalesList = (search: ListSearch) =>
  useList(queryOf(api.sales.list, { query: { ...pagingOf(search), ...saleFilterOf(search) } }));

/** Reverses a sale. Its visitor loses the days. */
export function useReverseSale(id: string) {
  const { t } = useTranslation('reports');
  const send = (body: z.input<typeof reversalForm>) => call(api.sales.reverse, { params: { id }, body });
  const refresh = [
    api.sales.list,
    api.reports.byMonth,
    ...spans.map(span => api.reports[span]),
    api.visitors.get,
    api.visitorPage.sales,
    api.vouchers.desk,
  ];
  return useChange({ send, refresh, done: t('reversed') });
}

export const spans = ['today', 'week', 'month', 'year'] as const;
export type Span = (typeof spans)[number];

export const useSales = (span: Span) => useQuery({ ...queryOf(api.reports[span], { query: {} }), ...everyMinute });

export const useSalesByMonth = () => useQuery({ ...queryOf(api.reports.byMonth, { query: {} }), ...everyMinute });
