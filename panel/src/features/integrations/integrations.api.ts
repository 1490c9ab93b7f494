import type { Integration, integrationForm, pmsConnection } from '@portico/contract/integrations.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pageOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';

const refresh = [api.integrations.list];

export const useIntegrations = (search: ListSearch) => {
  const query = { page: pageOf(search), search: search.search };
  return useList({ ...queryOf(api.integrations.list, { query }), ...everyMinute });
};

/** What can be connected to: property-management systems, by their database. */
export const useKinds = () =>
  useQuery({
    ...queryOf(api.integrations.available, { query: { type: 'pms', per_page: 100 } }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Answers the table's columns, each with a sample of what it holds. */
export const useTestConnection = () =>
  useMutation({
    mutationFn: (body: z.output<typeof pmsConnection>) => call(api.integrations.test, { body }),
  });

export function useCreateIntegration() {
  const send = (body: z.output<typeof integrationForm>) => call(api.integrations.create, { body });
  return useChange({ send, refresh });
}

export function useDeleteIntegration() {
  const { t } = useTranslation('integrations');
  const send = ({ id }: Integration) => call(api.integrations.delete, { params: { id } });
  return useChange({ send, refresh, done: t('deleted') });
}
