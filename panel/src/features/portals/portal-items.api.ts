import type { AdvertisementForm } from '@portico/contract/advertisements.ts';
import type { Rule, RuleForm } from '@portico/contract/rules.ts';
import type { SurveyForm } from '@portico/contract/surveys.ts';
import { useTranslation } from 'react-i18next';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';

/** What is nested in a portal travels with it, so that is what is fetched anew. */
const refresh = [api.portals.get, api.portals.draft];

type Kept<Form> = Form & { id?: string | undefined };

/** Without an id it is new. */
export function useSaveAdvertisement(portalId: string) {
  const { t } = useTranslation('portal-editor');
  const send = async ({ id, ...body }: Kept<AdvertisementForm>) => {
    const { ads } = api.portals;
    await (id
      ? call(ads.update, { params: { id: portalId, itemId: id }, body })
      : call(ads.create, { params: { id: portalId }, body }));
    return Boolean(id);
  };
  return useChange({ send, refresh, done: old => t(old ? 'ad.updated' : 'ad.added') });
}

export function useSaveSurvey(portalId: string) {
  const { t } = useTranslation('portal-editor');
  const send = async ({ id, ...body }: Kept<SurveyForm>) => {
    const { surveys } = api.portals;
    await (id
      ? call(surveys.update, { params: { id: portalId, itemId: id }, body })
      : call(surveys.create, { params: { id: portalId }, body }));
    return Boolean(id);
  };
  return useChange({ send, refresh, done: old => t(old ? 'survey.updated' : 'survey.added') });
}

export function useSaveRule(portalId: string) {
  const { t } = useTranslation('portal-editor');
  const send = async ({ id, ...body }: Kept<RuleForm>) => {
    const { rules } = api.portals;
    await (id
      ? call(rules.update, { params: { id: portalId, itemId: id }, body })
      : call(rules.create, { params: { id: portalId }, body }));
    return Boolean(id);
  };
  return useChange({ send, refresh, done: old => t(old ? 'rule.updated' : 'rule.added') });
}

/** Takes the rules in their new order and tells the server of those that moved. */
export function useOrderRules(portalId: string) {
  const { t } = useTranslation('portal-editor');
  const send = async (rules: readonly Rule[]) => {
    for (const [index, { id, state, action, survey_id, url, language, order }] of rules.entries())
      if (order !== index + 1)
        await call(api.portals.rules.update, {
          params: { id: portalId, itemId: id },
          body: { state, action, survey_id, url, language, order: index + 1 },
        });
  };
  return useChange({ send, refresh, done: t('rule.ordered') });
}

const lists = { ad: 'ads', survey: 'surveys', rule: 'rules' } as const;

export function useDeleteItem(portalId: string, kind: keyof typeof lists) {
  const { t } = useTranslation('portal-editor');
  const send = ({ id }: { id: string }) =>
    call(api.portals[lists[kind]].delete, { params: { id: portalId, itemId: id } });
  return useChange({ send, refresh, done: t(`${kind}.deleted`) });
}
