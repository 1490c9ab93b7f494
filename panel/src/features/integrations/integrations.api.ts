import type { ConnectionUpdate, IntegrationConnection } from '@portico/contract/integration-kinds.ts';
import type { RoomChargeOutcome, roomChargeStates, WebhookEvent } from '@portico/contract/integration-names.ts';
import type { Integration, integrationForm, integrationUpdate } from '@portico/contract/integrations.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';

const refresh = [api.integrations.list];

export const useIntegrations = (search: ListSearch) => {
  const query = { ...pagingOf(search), search: search.search };
  return useList({ ...queryOf(api.integrations.list, { query }), ...everyMinute });
};

export const useIntegration = (id: string) =>
  useQuery({ ...queryOf(api.integrations.get, { params: { id } }), ...everyMinute });

/** The available integration types. */
export const useIntegrationTypes = () =>
  useQuery({
    ...queryOf(api.integrations.available, { query: { per_page: 100 } }),
    staleTime: Number.POSITIVE_INFINITY,
  });

type To = { to?: string | undefined };

/** Returns the columns of the table with sample values; for other types the result of the test. */
export const useTestConnection = () =>
  useMutation({
    mutationFn: (body: IntegrationConnection & To) => call(api.integrations.test, { body }),
  });

/** The same for an existing connection, with its stored secrets. */
export const useRetestConnection = (id: string) =>
  useMutation({
    mutationFn: (body: ConnectionUpdate & To) => call(api.integrations.testAgain, { params: { id }, body }),
  });

export function useUpdateIntegration(id: string) {
  const { t } = useTranslation('integrations');
  const send = (body: z.output<typeof integrationUpdate>) => call(api.integrations.update, { params: { id }, body });
  return useChange({ send, refresh: [api.integrations.list, api.integrations.get], done: t('updated') });
}

export const useRotateSecret = (id: string) =>
  useMutation({ mutationFn: () => call(api.integrations.rotateSecret, { params: { id } }) });

export const useDeliveries = (id: string, search: ListSearch) => {
  const state = search.state as 'waiting' | 'delivered' | 'failed' | undefined;
  const query = { ...pagingOf(search, undefined, 100), state, event: search.event as WebhookEvent | undefined };
  return useList({ ...queryOf(api.integrations.deliveries, { params: { id }, query }), ...everyMinute });
};

export function useResend(id: string) {
  const { t } = useTranslation('integrations');
  const send = (deliveryId: string) => call(api.integrations.resend, { params: { id, deliveryId } });
  return useChange({ send, refresh: [api.integrations.deliveries], done: t('webhook.resent') });
}

/** Takes the hours back to which failed deliveries are sent again. */
export function useResendFailed(id: string) {
  const { t } = useTranslation('integrations');
  const send = (hours: number) => {
    const since = new Date(Date.now() - hours * 3_600_000).toISOString();
    return call(api.integrations.resendFailed, { params: { id }, body: { since } });
  };
  const done = ({ data }: { data: { count: number } }) => t('deliveries.resent', { count: data.count });
  return useChange({ send, refresh: [api.integrations.deliveries], done });
}

export const useMessages = (id: string, search: ListSearch) => {
  const state = search.state as 'queued' | 'sent' | 'delivered' | 'failed' | undefined;
  const query = { ...pagingOf(search, undefined, 100), state };
  return useList({ ...queryOf(api.integrations.messages, { params: { id }, query }), ...everyMinute });
};

export const useRoomCharges = (id: string, search: ListSearch) => {
  const state = search.state as (typeof roomChargeStates)[number] | undefined;
  const query = { ...pagingOf(search, undefined, 100), state };
  return useList({ ...queryOf(api.roomCharges.list, { params: { id }, query }), ...everyMinute });
};

export function useSettleCharge(id: string) {
  const { t } = useTranslation('integrations');
  const send = ({ chargeId, outcome }: { chargeId: string; outcome: RoomChargeOutcome }) =>
    call(api.roomCharges.settle, { params: { id, chargeId }, body: { outcome } });
  return useChange({ send, refresh: [api.roomCharges.list, api.integrations.get], done: t('charges.settled') });
}

export function useCreateIntegration() {
  const send = (body: z.output<typeof integrationForm>) => call(api.integrations.create, { body });
  return useChange({ send, refresh });
}

export function useDeleteIntegration() {
  const { t } = useTranslation('integrations');
  const send = ({ id }: Integration) => call(api.integrations.delete, { params: { id } });
  return useChange({ send, refresh, done: t('deleted') });
}
