import type { MacForm, MacRule, macTypes, Network, networkForm } from '@portico/contract/networks.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, download, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

type MacType = (typeof macTypes)[number];
const networks = [api.devices.networks.list];

export const useNetworks = (id: string, search: ListSearch) =>
  useList(queryOf(api.devices.networks.list, { params: { id }, query: { ...pagingOf(search) } }));

export const useAllNetworks = (id: string) =>
  useQuery(queryOf(api.devices.networks.list, { params: { id }, query: { per_page: 1000 } }));

export function useSaveNetwork(id: string, network: Network | undefined) {
  const { t } = useTranslation('devices');
  const send = (body: z.input<typeof networkForm>) =>
    network
      ? call(api.devices.networks.update, { params: { id, networkId: network.id }, body })
      : call(api.devices.networks.create, { params: { id }, body });
  return useChange({ send, refresh: networks, done: t(network ? 'network.updated' : 'network.created') });
}

export function useDeleteNetwork(id: string) {
  const { t } = useTranslation('devices');
  const send = (network: Network) => call(api.devices.networks.delete, { params: { id, networkId: network.id } });
  return useChange({ send, refresh: [...networks, api.devices.macs.list], done: t('network.deleted') });
}

export const useLocationOf = (id: string) => useQuery(queryOf(api.locations.get, { params: { id } }));

/** Maximum number of addresses per card. The filter finds the others. */
export const maxMacs = 200;

export const useMacs = (id: string, filter: { type: MacType; mac: string | undefined }) =>
  useList(queryOf(api.devices.macs.list, { params: { id }, query: { ...filter, per_page: maxMacs } }));

export function useAddMac(id: string, type: MacType) {
  const { t } = useTranslation('devices');
  const send = (body: MacForm) => call(api.devices.macs.create, { params: { id }, body });
  return useChange({ send, refresh: [api.devices.macs.list], done: t(`macs.${type}.added`) });
}

export function useDeleteMac(id: string) {
  const { t } = useTranslation('devices');
  const send = (rule: MacRule) => call(api.devices.macs.delete, { params: { id, macId: rule.id } });
  // Without networks, the rule applied to all of them.
  const undo = ({ mac, type, comment, networks }: MacRule) =>
    call(api.devices.macs.create, {
      params: { id },
      body: { mac, type, comment, networks: networks.length > 0 ? networks : undefined },
    });
  return useChange({ send, refresh: [api.devices.macs.list], done: t('macs.deleted'), undo });
}

const upload = (file: File) => {
  const body = new FormData();
  body.set('file', file);
  return body;
};

export const useDownloadMacs = (id: string) =>
  useMutation({ mutationFn: () => download(api.devices.macs.export, 'mac-list.csv', { params: { id } }) });

/** Checks a CSV file without adding anything. */
export const useMacPreview = (id: string) =>
  useMutation({ mutationFn: (file: File) => call(api.devices.macs.preview, { params: { id }, body: upload(file) }) });

export function useImportMacs(id: string) {
  const { t } = useTranslation('devices');
  const send = (file: File) => call(api.devices.macs.import, { params: { id }, body: upload(file) });
  const done = ({ data }: { data: { created: number } }) => t('macs.import.made', { count: data.created });
  return useChange({ send, refresh: [api.devices.macs.list], done });
}
