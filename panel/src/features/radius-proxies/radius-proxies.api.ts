import type { RadiusProxyRow, radiusProxyChange, radiusProxyForm } from '@portico/contract/radius-proxies.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

const refresh = [api.radiusProxies.list];

export const useRadiusProxies = (search: ListSearch) =>
  useList(queryOf(api.radiusProxies.list, { query: pagingOf(search) }));

export const useLocations = () => useQuery(queryOf(api.locations.list, { query: { per_page: 9999 } })).data?.data;

export const useCreateRadiusProxy = () =>
  useChange({
    send: (body: z.input<typeof radiusProxyForm>) => call(api.radiusProxies.create, { body }),
    refresh,
    done: useTranslation('radius-proxies').t('created'),
  });

export const useUpdateRadiusProxy = () =>
  useChange({
    send: ({ id, ...body }: z.input<typeof radiusProxyChange> & { id: string }) =>
      call(api.radiusProxies.update, { params: { id }, body }),
    refresh,
    done: useTranslation('radius-proxies').t('updated'),
  });

export const useRenewProxySecret = () =>
  useChange({
    send: ({ id }: RadiusProxyRow) => call(api.radiusProxies.renewSecret, { params: { id } }),
    refresh,
  });

export const useIssueProxyCertificate = () =>
  useChange({
    send: ({ id }: RadiusProxyRow) => call(api.radiusProxies.issueCertificate, { params: { id }, body: {} }),
    refresh,
  });

export const useRevokeProxyCertificate = () =>
  useChange({
    send: ({ id }: RadiusProxyRow) => call(api.radiusProxies.revokeCertificate, { params: { id } }),
    refresh,
    done: useTranslation('radius-proxies').t('revoked'),
  });

export const useDeleteRadiusProxy = () =>
  useChange({
    send: ({ id }: RadiusProxyRow) => call(api.radiusProxies.delete, { params: { id } }),
    refresh,
    done: useTranslation('radius-proxies').t('deleted'),
  });
