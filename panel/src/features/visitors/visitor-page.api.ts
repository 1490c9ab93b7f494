import type { extendForm, moveForm } from '@portico/contract/visitor-changes.ts';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { type ListSearch, pagingOf } from '#lib/search.ts';
import { useList } from '#lib/use-list.ts';

const refresh = [
  api.visitors.list,
  api.visitors.get,
  api.visitorPage.sessions,
  api.visitorPage.sales,
  api.sessions.online,
];

/** The query of a paginated list of a visitor. */
const at = (id: string, search: ListSearch) => ({ params: { id }, query: { ...pagingOf(search) } });

export const useSessionsOf = (id: string, search: ListSearch) =>
  useList(queryOf(api.visitorPage.sessions, at(id, search)));
export const useDevicesOf = (id: string, search: ListSearch) =>
  useList(queryOf(api.visitorPage.devices, at(id, search)));
export const useSalesOf = (id: string, search: ListSearch) => useList(queryOf(api.visitorPage.sales, at(id, search)));
export const useConsentsOf = (id: string, search: ListSearch) =>
  useList(queryOf(api.visitorPage.consents, at(id, search)));
export const useAttemptsOf = (id: string, search: ListSearch) =>
  useList(queryOf(api.visitorPage.attempts, at(id, search)));

/** The success message. Adds that the router is being updated if the visitor is online. */
function useDone() {
  const { t } = useTranslation('visitor');
  return (key: 'extended' | 'paused' | 'resumed' | 'moved') => (answer: { data: { told: number } }) =>
    answer.data.told ? `${t(`done.${key}`)} ${t('done.told')}` : t(`done.${key}`);
}

export function useExtend(id: string) {
  const send = (body: z.input<typeof extendForm>) => call(api.visitorChanges.extend, { params: { id }, body });
  return useChange({ send, refresh, done: useDone()('extended') });
}

export function useMove(id: string) {
  const send = (body: z.input<typeof moveForm>) => call(api.visitorChanges.move, { params: { id }, body });
  return useChange({ send, refresh, done: useDone()('moved') });
}

const pause = (id: string) => call(api.visitorChanges.pause, { params: { id }, body: {} });
const resume = (id: string) => call(api.visitorChanges.resume, { params: { id }, body: {} });

export const usePause = () => useChange({ send: pause, refresh, done: useDone()('paused'), undo: resume });
export const useResume = () => useChange({ send: resume, refresh, done: useDone()('resumed'), undo: pause });
