import type {
  domainForm,
  TenantUser,
  tenantForm,
  tenantUserChange,
  tenantUserForm,
} from '@portico/contract/tenants.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { loadTenant } from '#lib/tenant.ts';
import { useList } from '#lib/use-list.ts';
import { meQuery } from '#lib/user.ts';
import { pageForm } from '#ui/header-save.tsx';

type Settings = z.input<typeof tenantForm>;
type NewUser = z.input<typeof tenantUserForm>;
type UserChange = z.input<typeof tenantUserChange>;
type NewDomain = z.input<typeof domainForm>;

export const useTenantSettings = () => useQuery(queryOf(api.tenants.get));

export function useSaveTenant() {
  const { t } = useTranslation('tenants');
  const send = async (body: Settings) => {
    const answer = await call(api.tenants.update, { body });
    // The panel shows the new colours and logo at once.
    await loadTenant();
    return answer;
  };
  return useChange({
    send,
    refresh: [api.tenants.get, { path: meQuery.queryKey[0] }],
    done: t('saved'),
    key: pageForm,
  });
}

export function useUploadPicture() {
  return useMutation({
    mutationFn: async (file: File) => {
      const body = new FormData();
      body.set('collection', 'tenant-brands');
      body.set('file', file);
      return (await call(api.tenants.uploadImage, { body })).data.url;
    },
  });
}

export const useTenantUsers = (search: ListSearch) =>
  useList(queryOf(api.tenantUsers.list, { query: { ...pagingOf(search), search: search.search } }));

/** Creates a user, or updates the given one. */
export function useSaveTenantUser(user: TenantUser | undefined) {
  const { t } = useTranslation('tenants');
  const send = (body: UserChange) =>
    user
      ? call(api.tenantUsers.update, { params: { id: user.id }, body })
      : call(api.tenantUsers.create, { body: body as NewUser });
  const refresh = [api.tenantUsers.list, { path: meQuery.queryKey[0] }];
  return useChange({ send, refresh, done: t(user ? 'user.updated' : 'user.created') });
}

/** The locations that can be assigned to a reseller. */
export const useLocationChoices = (enabled: boolean) =>
  useQuery({ ...queryOf(api.locations.list, { query: { per_page: 9999 } }), enabled }).data?.data ?? [];

export function useDeleteTenantUser() {
  const { t } = useTranslation('tenants');
  const send = ({ id }: TenantUser) => call(api.tenantUsers.delete, { params: { id } });
  return useChange({ send, refresh: [api.tenantUsers.list], done: t('user.deleted') });
}

export const useDomains = () => useQuery(queryOf(api.tenants.domains));

export function useCreateDomain() {
  const { t } = useTranslation('tenants');
  const send = (body: NewDomain) => call(api.tenants.createDomain, { body });
  return useChange({ send, refresh: [api.tenants.domains], done: t('domain.created') });
}

/** Checks the DNS record of a domain. */
export function useCheckDomain() {
  const { t } = useTranslation('tenants');
  const send = (host: string) => call(api.tenants.checkDomain, { params: { host } });
  return useChange({ send, refresh: [api.tenants.domains], done: t('domain.checked') });
}

export function useDeleteDomain() {
  const { t } = useTranslation('tenants');
  const send = ({ host }: { host: string }) => call(api.tenants.deleteDomain, { params: { host } });
  return useChange({ send, refresh: [api.tenants.domains], done: t('domain.deleted') });
}
