import type { SsoLink, ssoForm } from '@portico/contract/sso.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

type Form = z.output<typeof ssoForm>;

export const useSso = () => useQuery(queryOf(api.sso.get));

export function useSaveSso() {
  const { t } = useTranslation('sso');
  const send = (body: Form) => call(api.sso.save, { body });
  return useChange({ send, refresh: [api.sso.get], done: t('saved') });
}

export function useDeleteSso() {
  const { t } = useTranslation('sso');
  const send = () => call(api.sso.delete);
  return useChange({ send, refresh: [api.sso.get], done: t('deleted') });
}

export const useSsoLinks = (search: ListSearch) =>
  useList(queryOf(api.sso.links, { query: { ...pagingOf(search), search: search.search } }));

export function useUnlink() {
  const { t } = useTranslation('sso');
  const send = ({ id }: SsoLink) => call(api.sso.unlink, { params: { id } });
  return useChange({ send, refresh: [api.sso.links], done: t('links.separated') });
}

/** The choices of the form: proven domains, tenant administrators, locations and the tenant's roles. */
export function useSsoChoices() {
  const domains = useQuery(queryOf(api.tenants.domains));
  const users = useQuery(queryOf(api.tenantUsers.list, { query: { per_page: 1000 } }));
  const locations = useQuery(queryOf(api.locations.list, { query: { per_page: 9999 } }));
  const roles = useQuery(queryOf(api.tenantRoles.list));
  return {
    domains: (domains.data?.data ?? []).filter(it => it.verified_at).map(it => it.host),
    admins: (users.data?.data ?? []).filter(it => it.role === 'tenant-admin'),
    locations: locations.data?.data ?? [],
    roles: roles.data?.data ?? [],
    ready: [domains, users, locations, roles].every(it => it.data),
    error: [domains, users, locations, roles].find(it => it.error)?.error,
  };
}
export type SsoChoices = ReturnType<typeof useSsoChoices>;
