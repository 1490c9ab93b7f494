import type { MarketingConsent } from '@portico/contract/consents.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { call, download, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, listOf, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

/** Maps the filters of the address to the query; `days` is `2026-11-01_2026-11-20`. */
function filterOf(search: ListSearch) {
  const [from, to] = search.days?.split('_') ?? [];
  return {
    from,
    to,
    channels: listOf(search.channels) as MarketingConsent['channel'][] | undefined,
    location_id: search.location,
  };
}
const wholeFilterOf = (search: ListSearch) => ({
  ...filterOf(search),
  states: listOf(search.states) as MarketingConsent['state'][] | undefined,
  versions: listOf(search.versions),
  search: search.search,
});

export const useConsents = (search: ListSearch) =>
  useList(queryOf(api.consents.list, { query: { ...wholeFilterOf(search), ...pagingOf(search) } }));

/** The sentences that guests allowed, for the filter. */
export const useConsentTexts = (search: ListSearch) =>
  useQuery(queryOf(api.consents.texts, { query: { location_id: search.location } })).data?.data ?? [];

export const useConsentsOfVisitor = (visitorId: string, search: ListSearch) =>
  useList(queryOf(api.consents.list, { query: { visitor_id: visitorId, ...pagingOf(search) } }));

export const useDownloadConsents = () =>
  useMutation({
    mutationFn: (search: ListSearch) => download(api.consents.export, 'consents.csv', { query: wholeFilterOf(search) }),
  });

export const useDownloadIys = () =>
  useMutation({
    mutationFn: (search: ListSearch) => download(api.consents.iys, 'iys.csv', { query: filterOf(search) }),
  });

export function useWithdraw() {
  const { t } = useTranslation('consents');
  const send = (id: string) => call(api.consents.withdraw, { params: { id } });
  return useChange({ send, refresh: [api.consents.list], done: t('withdrawn') });
}
