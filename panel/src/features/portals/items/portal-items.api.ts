import type { AdvertisementForm } from '@portico/contract/advertisements.ts';
import type { Portal, PortalDraftForm } from '@portico/contract/portals.ts';
import type { Rule, RuleForm } from '@portico/contract/rules.ts';
import type { SurveyForm } from '@portico/contract/surveys.ts';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { portalQueries as refresh } from '#features/portals/portals.api.ts';
import { api } from '#lib/api.ts';
import { ApiError, call } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';

/** Saves surveys, advertisements and rules: each at once for guests, or as a whole list in the draft. */

/** Without an id the item is new. */
interface Item<Form> {
  id?: string | undefined;
  form: Form;
}
/** The result of a save. */
type Outcome = 'added' | 'updated' | 'kept';

const lists = { ad: 'advertisements', survey: 'surveys', rule: 'redirect_rules' } as const;
const paths = { ad: 'ads', survey: 'surveys', rule: 'rules' } as const;
type Kind = keyof typeof lists;

const saveListToDraft = (portal: Portal, body: PortalDraftForm) =>
  call(api.portals.saveDraft, { params: { id: portal.id }, body: { ...body, seen_at: portal.updated_at } });

/** Saves the item's list to the draft. Errors of the list are mapped to the fields of the item. */
async function saveItemToDraft(portal: Portal, kind: Kind, item: { id?: string | undefined }): Promise<void> {
  const list: readonly { id?: string | undefined }[] = portal[lists[kind]];
  const found = item.id ? list.findIndex(({ id }) => id === item.id) : -1;
  const index = found < 0 ? list.length : found;
  try {
    await saveListToDraft(portal, { [lists[kind]]: list.toSpliced(index, 1, item) } as PortalDraftForm);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, message, code, errors } = error;
    const prefix = `${lists[kind]}.${index}.`;
    const fieldErrors = Object.entries(errors).map(([field, words]) => [field.replace(prefix, ''), words] as const);
    throw new ApiError(status, { message, code, errors: Object.fromEntries(fieldErrors) });
  }
}

function useSaveItem<Form extends object>(
  kind: Kind,
  publish: (params: { id: string; itemId: string | undefined }, body: Form) => Promise<unknown>,
) {
  const { t } = useTranslation('portal-editor');
  const { portal, itemsToDraft } = useEditor();
  const send = async ({ id, form }: Item<Form>): Promise<Outcome> => {
    if (itemsToDraft) await saveItemToDraft(portal, kind, { id, ...form });
    else await publish({ id: portal.id, itemId: id }, form);
    if (itemsToDraft) return 'kept';
    return id ? 'updated' : 'added';
  };
  return useChange({ send, refresh, done: it => t(it === 'kept' ? 'draft.kept' : `${kind}.${it}`) });
}

const { ads, rules, surveys } = api.portals;

export const useSaveAdvertisement = () =>
  useSaveItem<AdvertisementForm>('ad', ({ id, itemId }, body) =>
    itemId ? call(ads.update, { params: { id, itemId }, body }) : call(ads.create, { params: { id }, body }),
  );

export const useSaveSurvey = () =>
  useSaveItem<SurveyForm>('survey', ({ id, itemId }, body) =>
    itemId ? call(surveys.update, { params: { id, itemId }, body }) : call(surveys.create, { params: { id }, body }),
  );

export const useSaveRule = () =>
  useSaveItem<RuleForm>('rule', ({ id, itemId }, body) =>
    itemId ? call(rules.update, { params: { id, itemId }, body }) : call(rules.create, { params: { id }, body }),
  );

/** Saves the new order of the rules; sends only the rules that moved. */
export function useOrderRules() {
  const { t } = useTranslation('portal-editor');
  const { portal, itemsToDraft } = useEditor();
  const send = async (ordered: readonly Rule[]): Promise<void> => {
    if (itemsToDraft) return void (await saveListToDraft(portal, { redirect_rules: [...ordered] }));
    for (const [index, { id, order }] of ordered.entries())
      if (order !== index + 1)
        await call(rules.update, { params: { id: portal.id, itemId: id }, body: { order: index + 1 } });
  };
  return useChange({ send, refresh, done: t(itemsToDraft ? 'draft.kept' : 'rule.ordered') });
}

export function useDeleteItem(kind: Kind) {
  const { t } = useTranslation('portal-editor');
  const { portal, itemsToDraft } = useEditor();
  const send = async ({ id }: { id: string }): Promise<void> => {
    const list: readonly { id: string }[] = portal[lists[kind]];
    if (itemsToDraft)
      await saveListToDraft(portal, { [lists[kind]]: list.filter(it => it.id !== id) } as PortalDraftForm);
    else await call(api.portals[paths[kind]].delete, { params: { id: portal.id, itemId: id } });
  };
  return useChange({ send, refresh, done: t(itemsToDraft ? 'draft.kept' : `${kind}.deleted`) });
}

/** Whether an item exists in the draft only. Such an item has no counts yet. */
export const isOnlyInDraft = ({ draft_at }: Portal, { created_at }: { created_at: string }): boolean =>
  created_at === draft_at;
