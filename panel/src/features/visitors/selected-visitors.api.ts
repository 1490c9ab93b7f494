import type { extendSelectedForm, moveSelectedForm, SelectionResult } from '@portico/contract/visitor-selection.ts';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, download } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';

const refresh = [api.visitors.list, api.visitors.get, api.sessions.online];

/** `3 visitors paused. 1 skipped.` */
function useDone() {
  const { t } = useTranslation('visitors');
  return (key: 'extended' | 'moved' | 'paused' | 'resumed' | 'deleted') =>
    ({ data: { changed, skipped } }: { data: SelectionResult }) =>
      [t(`selected.done.${key}`, { count: changed }), skipped > 0 && t('selected.done.skipped', { count: skipped })]
        .filter(Boolean)
        .join(' ');
}

export function useExtendSelected() {
  const send = (body: z.input<typeof extendSelectedForm>) => call(api.visitorSelection.extend, { body });
  return useChange({ send, refresh, done: useDone()('extended') });
}

export function useMoveSelected() {
  const send = (body: z.input<typeof moveSelectedForm>) => call(api.visitorSelection.move, { body });
  return useChange({ send, refresh, done: useDone()('moved') });
}

const pause = (ids: string[]) => call(api.visitorSelection.pause, { body: { ids } });
const resume = (ids: string[]) => call(api.visitorSelection.resume, { body: { ids } });
export const usePauseSelected = () => useChange({ send: pause, refresh, done: useDone()('paused'), undo: resume });
export const useResumeSelected = () => useChange({ send: resume, refresh, done: useDone()('resumed'), undo: pause });

export function useEndSessionsOfSelected() {
  const { t } = useTranslation('visitors');
  const send = (ids: string[]) => call(api.visitorSelection.endSessions, { body: { ids } });
  return useChange({
    send,
    refresh,
    done: ({ data: { told, unendable = 0 } }) =>
      [
        (told > unendable || !unendable) && t('selected.done.ended', { count: told - unendable }),
        unendable > 0 && t('selected.done.unendable', { count: unendable }),
      ]
        .filter(Boolean)
        .join(' '),
  });
}

export function useDeleteSelected() {
  const send = (ids: string[]) => call(api.visitorSelection.delete, { body: { ids } });
  return useChange({ send, refresh, done: useDone()('deleted') });
}

/** The passwords of the selected visitors. Never cached. */
export const useCardsOfSelected = () =>
  useMutation({ mutationFn: (ids: string[]) => call(api.visitorSelection.cards, { body: { ids } }), gcTime: 0 });

export const useDownloadSelected = () =>
  useMutation({
    mutationFn: (ids: string[]) => download(api.visitors.export, 'user-list.csv', { query: {}, body: { ids } }),
  });
