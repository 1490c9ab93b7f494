import type { mikrotikScriptForm } from '@portico/contract/device-setup.ts';
import type { DeviceDetail, deviceLicense } from '@portico/contract/devices.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, download } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { meQuery } from '#lib/user.ts';

const refresh = [api.devices.list, api.devices.get, { path: meQuery.queryKey[0] }];

/** The brands for which we provide a sign-in page. */
const loginFiles = {
  mikrotik: api.devices.setup.mikrotikLogin,
  sophos: api.devices.setup.sophosTemplate,
} as const;

export const hasLoginFile = (brand: string): brand is keyof typeof loginFiles => brand in loginFiles;

export const useDownloadLoginFile = ({ id, brand }: DeviceDetail) =>
  useMutation({
    mutationFn: async () => {
      if (hasLoginFile(brand.slug)) await download(loginFiles[brand.slug], 'login.html', { params: { id } });
    },
  });

export const useMikrotikScript = (id: string) =>
  useMutation({
    mutationFn: (body: z.input<typeof mikrotikScriptForm>) =>
      call(api.devices.setup.mikrotikScriptLink, { params: { id }, body }),
  });

/** Read again whenever the device has changed, because a new secret changes them. */
export const useSetupFiles = ({ id, updated_at }: DeviceDetail) =>
  useQuery({
    queryKey: [api.devices.setup.files.path, id, updated_at],
    queryFn: () => call(api.devices.setup.files, { params: { id } }),
  });

/** Starts an examination; the checks that take time are read until they have ended. */
export function useDeviceDoctor(id: string) {
  const queries = useQueryClient();
  const queryKey = [api.devices.doctor.progress.path, id];
  const start = useMutation({
    mutationFn: () => call(api.devices.doctor.examine, { params: { id } }),
    onSuccess: checks => queries.setQueryData(queryKey, checks),
  });
  const progress = useQuery({
    queryKey,
    queryFn: () => call(api.devices.doctor.progress, { params: { id } }),
    enabled: start.isSuccess,
    refetchInterval: ({ state }) => (state.data?.data.some(check => check.state === 'running') ? 500 : false),
  });
  const checks = start.data && (progress.data ?? start.data).data;
  return {
    checks,
    error: start.error ?? (checks ? progress.error : null),
    isPending: start.isPending || (checks?.some(check => check.state === 'running') ?? false),
    mutate: () => start.mutate(),
  };
}

export function useAcceptHost(id: string) {
  const { t } = useTranslation('devices');
  const send = (host: string) => call(api.devices.doctor.acceptHost, { params: { id }, body: { host } });
  return useChange({ send, refresh: [...refresh, api.audit.list], done: t('doctor.accepted') });
}

export function useRenewSecret(id: string) {
  const send = () => call(api.devices.renewSecret, { params: { id } });
  return useChange<void, Awaited<ReturnType<typeof send>>>({ send, refresh: [...refresh, api.audit.list] });
}

export function useLicenseDevice(id: string) {
  const { t } = useTranslation('devices');
  const send = (body: z.input<typeof deviceLicense>) => call(api.devices.license, { params: { id }, body });
  return useChange({ send, refresh: [...refresh, api.audit.list], done: t('licence.done') });
}

export function useSwitchHotspot(id: string) {
  const { t } = useTranslation('devices');
  const send = (on: boolean) => call(on ? api.devices.enableHotspot : api.devices.disableHotspot, { params: { id } });
  return useChange({
    send,
    refresh,
    done: ({ data }) => t(data.hotspot_status ? 'hotspot.enabled' : 'hotspot.disabled'),
  });
}
