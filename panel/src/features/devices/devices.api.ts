import type { DeviceSelectionResult } from '@portico/contract/device-selection.ts';
import type { Device, DeviceUpdate, deviceForm, deviceStatuses } from '@portico/contract/devices.ts';
import type { deviceOrders } from '@portico/contract/list-orders.ts';
import type { Location } from '@portico/contract/locations.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, listOf, pagingOf, searchOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';
import { meQuery } from '#lib/user.ts';
import type { Sorting } from '#ui/sorting.ts';

type Status = (typeof deviceStatuses)[number];

/** The signed-in user contains a count of devices, so it is refreshed with them. */
const refresh = [api.devices.list, api.devices.get, { path: meQuery.queryKey[0] }];

/** Without locations in the address, the server uses the active one. */
const deviceQuery = ({ status, brand, location, ...rest }: ListSearch, { by, order }: DeviceSorting) => ({
  ...searchOf(rest),
  brand,
  status: status === 'online' || status === 'offline' ? (status as Status) : undefined,
  locationIds: listOf(location),
  sort: by,
  order,
});
type DeviceSorting = Pick<Sorting<(typeof deviceOrders)[number]>, 'by' | 'order'>;

export const loadDevices = (search: ListSearch, sorting: DeviceSorting, per_page: number) =>
  call(api.devices.list, { query: { ...deviceQuery(search, sorting), per_page } });

export function useDevices(search: ListSearch, sorting: DeviceSorting) {
  const query = { ...pagingOf(search), ...deviceQuery(search, sorting) };
  return useList({ ...queryOf(api.devices.list, { query }), ...everyMinute });
}

/** Disabled while the id is undefined. */
export const useDevice = (id: string | undefined) =>
  useQuery({ ...queryOf(api.devices.get, { params: { id: id ?? '' } }), enabled: id !== undefined, ...everyMinute });

/** The location of a stopped device: it may be suspended, or its licence has ended. Undefined while loading. */
export function useStoppedLocation({ location_id, has_mikrolink_subscription }: Device): Location | undefined {
  const query = queryOf(api.locations.get, { params: { id: location_id } });
  const { data } = useQuery({ ...query, enabled: !has_mikrolink_subscription });
  // The answer of when it was stopped may still be kept.
  return has_mikrolink_subscription ? undefined : data?.data;
}

/** Brands are static: they change with the product only. */
export const useBrands = () => useQuery({ ...queryOf(api.devices.brands), staleTime: Number.POSITIVE_INFINITY });

export const useModels = (brandId: string) =>
  useQuery({ ...queryOf(api.devices.models, { params: { id: brandId } }), staleTime: Number.POSITIVE_INFINITY });

/** No toast: the last step of the wizard confirms it, and a toast would cover its buttons. */
export function useCreateDevice() {
  const send = (body: z.input<typeof deviceForm>) => call(api.devices.create, { body });
  return useChange({ send, refresh });
}

export function useUpdateDevice(id: string) {
  const { t } = useTranslation('devices');
  const send = (body: DeviceUpdate) => call(api.devices.update, { params: { id }, body });
  return useChange({ send, refresh, done: t('updated') });
}

export function useDeleteDevice() {
  const { t } = useTranslation('devices');
  const send = ({ id }: { id: string }) => call(api.devices.delete, { params: { id } });
  return useChange({ send, refresh, done: t('deleted') });
}

/** `3 devices switched on. 1 skipped.` */
function useDone() {
  const { t } = useTranslation('devices');
  return (key: 'on' | 'off' | 'deleted', { changed, skipped }: DeviceSelectionResult) =>
    [t(`selected.done.${key}`, { count: changed }), skipped > 0 && t('selected.done.skipped', { count: skipped })]
      .filter(Boolean)
      .join(' ');
}

export function useSwitchSelectedDevices() {
  const said = useDone();
  const send = async (body: { ids: string[]; hotspot_status: boolean }) => {
    const { data } = await call(api.devices.selected.hotspot, { body });
    return { data, on: body.hotspot_status };
  };
  return useChange({
    send,
    refresh,
    done: ({ data, on }) => said(on ? 'on' : 'off', data),
    undo: ({ ids, hotspot_status }) => send({ ids, hotspot_status: !hotspot_status }),
  });
}

export function useDeleteSelectedDevices() {
  const said = useDone();
  const send = (ids: string[]) => call(api.devices.selected.delete, { body: { ids } });
  return useChange({ send, refresh, done: ({ data }) => said('deleted', data) });
}
