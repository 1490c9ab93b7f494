import { TextInput } from '@mantine/core';
import type { PortalLanguage } from '@portico/contract/portal-languages.ts';
import type { PerLanguage, PortalMessageKey } from '@portico/contract/portal-messages.ts';
import type { Portal } from '@portico/contract/portals.ts';
import { useTranslation } from 'react-i18next';
import { DraftBar } from '#features/portals/editor/draft-bar.tsx';
import { useEditor, useMine } from '#features/portals/editor/editor-context.ts';
import { useSavePortal } from '#features/portals/editor/use-save-portal.ts';
import { useUndo } from '#features/portals/editor/use-undo.ts';
import fields from '#features/portals/fields/fields.module.css';
import { LanguageTabs } from '#features/portals/fields/language-tabs.tsx';
import { countMissing, nameIn, textAttributes } from '#features/portals/fields/portal-languages.ts';
import classes from '#features/portals/texts/advanced.module.css';
import { type Section, SectionNav, useSection } from '#features/portals/texts/advanced-nav.tsx';
import { RichText } from '#features/portals/texts/rich-text.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { type Form, useContractForm } from '#ui/use-contract-form.ts';

// Another section is shown first.
const MarketingFields = lazyPart(
  () => import('#features/portals/texts/marketing-fields.tsx'),
  'MarketingFields',
  'in-place',
);

/** The plain texts of paid access. `paid_information` is rich text. */
const saleTexts = [
  'select_paid',
  'daily',
  'selected_paid_day',
  'total_paid_amount',
  'buy',
  'change_paid',
] as const satisfies readonly PortalMessageKey[];
type SaleKey = 'paid_information' | (typeof saleTexts)[number];
type Values = {
  agreements: Portal['agreements'];
  messages: Record<SaleKey, PerLanguage>;
};

export function AdvancedPage() {
  const { formKey } = useEditor();
  return <AdvancedForm key={formKey} />;
}

function AdvancedForm() {
  const { t } = useTranslation('portal-editor');
  const { portal, readOnly, language, setLanguage } = useEditor();
  const { pending, send, wrapSubmit, onSaveDraft } = useSavePortal();
  const [section, setSection] = useSection();
  const initial: Values = {
    agreements: portal.agreements,
    messages: Object.fromEntries(
      (['paid_information', ...saleTexts] as const).map(key => [key, portal.messages[key]]),
    ) as Values['messages'],
  };
  const { form, adoption, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).textsPortal,
    initial,
    version: portal.updated_at,
    submit: send,
  });
  const undo = useUndo(form, adoption);
  useMine(form.values);
  const missing = missingBySection(form.values, portal.page.languages);
  return (
    <form {...element} onSubmit={wrapSubmit(element.onSubmit)}>
      <div className={classes.advanced}>
        <SectionNav value={section} onChange={setSection} missing={missing} readOnly={readOnly} />
        <div>
          <Card title={t(`section.${section}`)} description={t(`sectionHelp.${section}`)}>
            <div className={layout.fields}>
              <div className={fields.translated}>
                <LanguageTabs
                  label={t('textLanguage')}
                  value={language}
                  onChange={setLanguage}
                  missing={missing[section]}
                />
                {missing[section].has(language) && (
                  <span className={classes.missing}>
                    {section === 'selling'
                      ? t('missingHere', { language: nameIn(portal.page.own_languages, language) })
                      : t('contentEmpty')}
                  </span>
                )}
              </div>
              <SectionFields form={form} section={section} />
            </div>
          </Card>
          <DraftBar
            dirty={form.isDirty()}
            pending={pending}
            onDiscard={form.reset}
            onSaveDraft={onSaveDraft}
            undo={undo}
          />
        </div>
      </div>
    </form>
  );
}

const missingBySection = (
  { agreements: { kvkk, general, ...marketing }, messages }: Values,
  offered: readonly PortalLanguage[],
) => ({
  kvkk: countMissing([kvkk], offered),
  selling: countMissing(Object.values(messages), offered),
  general_usage: countMissing([general], offered),
  marketing: countMissing(Object.values(marketing), offered),
});

function SectionFields({ form, section }: { form: Form<Values>; section: Section }) {
  const { t } = useTranslation('portal-editor');
  const { portal, language, readOnly } = useEditor();
  const { values, errors, setFieldValue, getInputProps } = form;
  const languageName = nameIn(portal.page.own_languages, language);
  if (section === 'marketing')
    return (
      <MarketingFields texts={values.agreements} onChange={(key, texts) => setFieldValue(`agreements.${key}`, texts)} />
    );
  if (section !== 'selling') {
    const kind = section === 'general_usage' ? 'general' : section;
    const path = `agreements.${kind}.${language}` as const;
    return (
      <RichText
        key={path}
        label={t('agreementText', { name: t(`section.${section}`), language: languageName })}
        value={values.agreements[kind][language] ?? ''}
        onChange={html => setFieldValue(path, html)}
        error={errors[path]}
      />
    );
  }
  const path = `messages.paid_information.${language}` as const;
  return (
    <>
      <div>
        <span className={fields.label}>{t('message.paid_information')}</span>
        <RichText
          key={path}
          label={`${t('message.paid_information')}, ${languageName}`}
          value={values.messages.paid_information[language] ?? ''}
          onChange={html => setFieldValue(path, html)}
          error={errors[path]}
          small
        />
      </div>
      <fieldset className={layout.whole} disabled={readOnly}>
        <div className={layout.two}>
          {saleTexts.map(key => (
            <TextInput
              key={`${key}.${language}`}
              label={t(`message.${key}`)}
              maxLength={200}
              {...textAttributes(language)}
              {...getInputProps(`messages.${key}.${language}`)}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}
