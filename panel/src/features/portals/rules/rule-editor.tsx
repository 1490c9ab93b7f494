import { Select, TextInput } from '@mantine/core';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { Portal } from '@portico/contract/portals.ts';
import type { Rule } from '@portico/contract/rules.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import fields from '#features/portals/fields/fields.module.css';
import { LanguageTabs } from '#features/portals/fields/language-tabs.tsx';
import { languagesOf, nameIn } from '#features/portals/fields/portal-languages.ts';
import { useSaveRule } from '#features/portals/items/portal-items.api.ts';
import { choices } from '#ui/choices.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { type Form, useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  portal: Portal;
  rule?: Rule;
  onClose: () => void;
}

type Values = {
  state: Rule['state'];
  action: Rule['action'];
  survey_id: string | null;
  url: string;
  urls: PerLanguage;
  language: PortalLanguage | null;
};

const below = { inputWrapperOrder: ['label', 'input', 'description', 'error'] as const };

export function RuleEditor({ portal, rule, onClose }: Props) {
  const { t } = useTranslation('portal-editor');
  const own = useEditor().portal.page.own_languages;
  const save = useSaveRule();
  const initial: Values = {
    state: rule?.state ?? 'login_successful',
    action: rule?.action ?? (portal.surveys.length > 0 ? 'redirect_to_survey' : 'redirect_to_url'),
    survey_id: rule?.survey_id ?? null,
    url: rule?.url ?? '',
    urls: rule?.urls ?? {},
    language: rule?.language ?? null,
  };
  const form = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).ruleForm,
    initial,
    submit: async values => {
      // A rule for one language has one address.
      const form = values.language ? { ...values, urls: null } : values;
      await save.mutateAsync({ id: rule?.id, form });
      onClose();
    },
  });
  const { values, getInputProps } = form.form;
  return (
    <FormModal title={t(rule ? 'rule.edit' : 'rule.add')} form={form} pending={save.isPending} onClose={onClose}>
      <Select
        label={t('rule.when')}
        withAsterisk
        allowDeselect={false}
        data={(['before_login', 'login_successful', 'login_failed'] as const).map(value => ({
          value,
          label: t(`state.${value}`),
        }))}
        {...getInputProps('state')}
      />
      <Select
        label={t('rule.then')}
        withAsterisk
        allowDeselect={false}
        data={(['redirect_to_survey', 'redirect_to_url'] as const).map(value => ({
          value,
          label: t(`action.${value}`),
        }))}
        {...getInputProps('action')}
      />
      {values.action === 'redirect_to_survey' ? (
        <Select
          label={t('rule.survey')}
          description={portal.surveys.length === 0 ? t('rule.noSurvey') : undefined}
          inputWrapperOrder={[...below.inputWrapperOrder]}
          withAsterisk
          data={choices(portal.surveys)}
          {...getInputProps('survey_id')}
        />
      ) : (
        <>
          <TextInput
            label={t('rule.url')}
            description={values.state === 'login_successful' ? undefined : t(`rule.urlHelp.${values.state}`)}
            inputWrapperOrder={[...below.inputWrapperOrder]}
            withAsterisk
            {...addressInput}
            {...getInputProps('url')}
          />
          {!values.language && <AddressPerLanguage form={form.form} />}
        </>
      )}
      <Select
        label={t('rule.language')}
        description={t('rule.languageHelp')}
        inputWrapperOrder={[...below.inputWrapperOrder]}
        placeholder={t('rule.anyLanguage')}
        clearable
        data={languagesOf(own).map(value => ({ value, label: nameIn(own, value) }))}
        {...getInputProps('language')}
      />
    </FormModal>
  );
}

const addressInput = {
  type: 'url',
  inputMode: 'url',
  placeholder: 'https://www.example.com',
  maxLength: 2000,
} as const;

/** Addresses for guests of one language; the others use the address above. */
function AddressPerLanguage({ form }: { form: Form<Values> }) {
  const { t } = useTranslation('portal-editor');
  const own = useEditor().portal.page.own_languages;
  const [chosen, setChosen] = useState<PortalLanguage>('tr');
  const { errors, values, getInputProps } = form;
  const wrong = languagesOf(own).find(it => errors[`urls.${it}`]);
  // An error of a language that is not chosen would not be seen.
  const language = wrong && !errors[`urls.${chosen}`] ? wrong : chosen;
  return (
    <div>
      <div className={fields.translated}>
        <span className={fields.help}>{t('rule.perLanguage')}</span>
        <LanguageTabs label={t('rule.perLanguage')} value={language} onChange={setChosen} />
      </div>
      <TextInput
        key={language}
        aria-label={t('rule.urlIn', { language: nameIn(own, language) })}
        description={values.urls[language] ? undefined : t('rule.perLanguageHelp')}
        inputWrapperOrder={[...below.inputWrapperOrder]}
        {...addressInput}
        {...getInputProps(`urls.${language}`)}
      />
    </div>
  );
}
