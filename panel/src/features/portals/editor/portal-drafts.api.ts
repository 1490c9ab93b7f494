import type { Portal, PortalForm } from '@portico/contract/portals.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { portalQueries } from '#features/portals/portals.api.ts';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';
import { useList } from '#lib/use-list.ts';

/** The draft of a portal, or the published portal if there is no draft. */
export const useDraft = (id: string) => useQuery(queryOf(api.portals.draft, { params: { id } }));

export const useVersions = (id: string, page: number) =>
  useList(queryOf(api.portals.history, { params: { id }, query: { page, per_page: 8 } }));

interface SaveRequest {
  form: PortalForm;
  /** Save to the draft only. Otherwise the whole draft is published with this form. */
  toDraft: boolean;
  /** The `updated_at` of the portal that the form was filled from. */
  seenAt: string;
}

/** Saves a part of a portal. The name is not part of the draft, so it changes at once. */
export function useSavePortalPart({ id, has_draft }: Pick<Portal, 'id' | 'has_draft'>, drafts: boolean) {
  const { t } = useTranslation(['portals', 'portal-editor']);
  const params = { id };
  const send = async ({ form, toDraft, seenAt: seen_at }: SaveRequest): Promise<boolean> => {
    if (!toDraft && !(drafts && has_draft)) {
      await call(api.portals.update, { params, body: { ...form, seen_at } });
      return false;
    }
    const { name, ...content } = form;
    await call(api.portals.saveDraft, { params, body: { ...content, seen_at } });
    if (name) await call(api.portals.update, { params, body: { name } });
    if (!toDraft) await call(api.portals.publish, { params });
    return toDraft;
  };
  return useChange({ send, refresh: portalQueries, done: kept => t(kept ? 'portal-editor:draft.kept' : 'updated') });
}

export function usePublishDraft(id: string) {
  const { t } = useTranslation('portal-editor');
  const send = () => call(api.portals.publish, { params: { id } });
  return useChange<void, unknown>({ send, refresh: portalQueries, done: t('draft.published') });
}

export function useDiscardDraft(id: string) {
  const { t } = useTranslation('portal-editor');
  const send = () => call(api.portals.discardDraft, { params: { id } });
  return useChange<void, unknown>({ send, refresh: portalQueries, done: t('draft.discarded') });
}

export function useRestoreVersion(id: string) {
  const { t } = useTranslation('portal-editor');
  const send = (version: { id: string }) => call(api.portals.restore, { params: { id, versionId: version.id } });
  return useChange({ send, refresh: portalQueries, done: t('history.restored') });
}
