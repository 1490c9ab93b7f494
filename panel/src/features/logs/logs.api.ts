import { maxHistogramDays } from '@portico/contract/log-intervals.ts';
import type { LogSourceRow } from '@portico/contract/log-sources.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { fittingIntervals, type LogInterval } from '#features/logs/traffic/buckets.ts';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, listOf, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';
import { everyMinute } from '#lib/use-live.ts';

type Period = { gte?: string; lte?: string };

/** Keeps the old figures until those of the new period arrive. */
const steady = { ...everyMinute, placeholderData: keepPreviousData } as const;

const local = (text: string) => text.trim().replace(' ', 'T');
const periodIn = ({ start_at, end_at }: ListSearch): Period => ({
  ...(start_at && { gte: local(start_at) }),
  ...(end_at && { lte: local(end_at) }),
});

/** The interval from the address (default: minute), or a longer one if the period is too long for it. */
export function intervalOf(search: ListSearch): { interval: LogInterval; fitting: readonly LogInterval[] } {
  const fitting = fittingIntervals(periodIn(search), maxHistogramDays);
  const chosen = (['minute', 'hour', 'day'] as const).find(each => each === search.interval) ?? 'minute';
  return { interval: fitting.includes(chosen) ? chosen : (fitting[0] ?? 'day'), fitting };
}

export const useHistogram = (id: string, search: ListSearch) =>
  useQuery({
    ...queryOf(api.logs.histogram, {
      params: { id },
      query: { interval: intervalOf(search).interval, ...periodIn(search) },
    }),
    ...steady,
  });

export const popularKinds = ['popularWebsite', 'popularApplication', 'popularCountry'] as const;
export type PopularKind = (typeof popularKinds)[number];

export const usePopular = (kind: PopularKind, id: string, search: ListSearch) =>
  useQuery({ ...queryOf(api.logs[kind], { params: { id }, query: periodIn(search) }), ...steady });

/** Download links expire after ten minutes, so an open list is refreshed every minute. */
export function useLogFiles(id: string, search: ListSearch) {
  const types = listOf(search.types) as ('firewall' | 'dhcp' | 'proxy')[] | undefined;
  const query = { start_at: search.start_at, end_at: search.end_at, types, ...pagingOf(search) };
  return useList({ ...queryOf(api.logs.list, { params: { id }, query }), ...everyMinute });
}

export const useLogRecord = (id: string) =>
  useQuery({ ...queryOf(api.logs.record, { params: { id } }), ...everyMinute });

/** Checks the record now, as the daily check does. */
export function useVerifyRecord(id: string) {
  const { t } = useTranslation('logs');
  const send = () => call(api.logs.verify, { params: { id } });
  return useChange<void, Awaited<ReturnType<typeof send>>>({
    send,
    refresh: [api.logs.record, api.logs.list],
    // The screen shows what is wrong.
    done: ({ data }) => (data.problem ? '' : t('verified')),
  });
}

export const useLogSources = (id: string) =>
  useQuery({ ...queryOf(api.logSources.list, { params: { id } }), ...everyMinute });

const changed = [api.logSources.list, api.audit.list];

export function useTrust(id: string) {
  const { t } = useTranslation('logs');
  return useChange({
    send: (address: string) => call(api.logSources.trust, { params: { id }, body: { address } }),
    refresh: changed,
    done: ({ data }) => t('sources.done', { address: data.address }),
  });
}

export function useDistrust(id: string, source: Pick<LogSourceRow, 'id' | 'address'>) {
  const { t } = useTranslation('logs');
  return useChange({
    send: () => call(api.logSources.distrust, { params: { id, sourceId: source.id } }),
    refresh: changed,
    done: t('sources.removed', { address: source.address }),
  });
}
