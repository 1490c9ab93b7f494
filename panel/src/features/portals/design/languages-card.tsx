import { Checkbox, NativeSelect } from '@mantine/core';
import { marketingKeys } from '@portico/contract/consent-kinds.ts';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import { useTranslation } from 'react-i18next';
import { type GeneralForm, generalMessages } from '#features/portals/design/general-values.ts';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { countMissing, languagesOf, nameIn } from '#features/portals/fields/portal-languages.ts';
import languages from '#features/portals/languages/own-languages.module.css';
import { OwnLanguages } from '#features/portals/languages/own-languages.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

/** The languages that guests can choose, the default one, and the texts that are missing. */
export function LanguagesCard({ form }: { form: GeneralForm }) {
  const { t } = useTranslation('portal-editor');
  const { readOnly } = useEditor();
  const { languages: offered, own_languages: own } = form.values.page;
  const change = (next: readonly string[]) => form.setFieldValue('page.languages', next as PortalLanguage[]);
  const named = (value: PortalLanguage) => ({ value, label: nameIn(own, value) });
  return (
    <Card title={t('guestLanguages')} description={t('guestLanguagesHelp')}>
      <div className={layout.fields}>
        <Checkbox.Group
          label={t('offeredLanguages')}
          value={[...offered]}
          onChange={change}
          error={form.errors['page.languages']}
          disabled={readOnly}
        >
          <div className={languages.checks}>
            {languagesOf(own).map(it => (
              <Checkbox key={it} size="md" value={it} label={<bdi lang={it}>{nameIn(own, it)}</bdi>} />
            ))}
          </div>
        </Checkbox.Group>
        <NativeSelect
          label={t('defaultLanguage')}
          description={t('defaultLanguageHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={offered.map(named)}
          value={offered[0] ?? ''}
          onChange={({ currentTarget: { value } }) => change([value, ...offered.filter(it => it !== value)])}
          disabled={readOnly}
        />
        <OwnLanguages form={form} readOnly={readOnly} />
        <MissingTexts form={form} offered={offered} />
      </div>
    </Card>
  );
}

function MissingTexts({ form, offered }: { form: GeneralForm; offered: readonly PortalLanguage[] }) {
  const { t } = useTranslation('portal-editor');
  const { portal } = useEditor();
  const { messages } = form.values;
  const texts: (readonly [string, PerLanguage])[] = [
    ...generalMessages.map(key => [t(`message.${key}`), messages[key]] as const),
    [t('section.kvkk'), portal.agreements.kvkk],
    [t('section.general_usage'), portal.agreements.general],
    ...Object.values(marketingKeys).map(key => [t('section.marketing'), portal.agreements[key]] as const),
  ];
  const lacking = offered.map(language => ({
    language,
    names: texts.filter(([, text]) => countMissing([text], [language]).size > 0).map(([name]) => name),
  }));
  const missing = lacking.filter(it => it.names.length > 0);
  if (!missing.length) return null;
  return (
    <div role="status">
      <b>{t('missingTexts')}</b>
      <ul>
        {missing.map(({ language, names }) => (
          <li key={language}>
            <bdi>{nameIn(form.values.page.own_languages, language)}</bdi> – {t('missingCount', { count: names.length })}
            : {[...new Set(names)].join(', ')}
          </li>
        ))}
      </ul>
    </div>
  );
}
