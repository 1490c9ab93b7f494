import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { GeneralForm } from '#features/portals/design/general-values.ts';
import { LogoCard } from '#features/portals/design/logo-card.tsx';
import { useWeakColours } from '#features/portals/design/use-weak-colours.ts';
import { WelcomeCard } from '#features/portals/design/welcome-card.tsx';
import { useEditor } from '#features/portals/editor/editor-context.ts';
import { ChoiceField } from '#features/portals/fields/choice-field.tsx';
import { TemplateCard } from '#features/portals/templates/template-card.tsx';
import { lazyPart } from '#lib/lazy-part.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';

const LookCard = lazyPart(() => import('#features/portals/design/look-card.tsx'), 'LookCard', 'in-place');
const BackgroundCard = lazyPart(
  () => import('#features/portals/design/background-card.tsx'),
  'BackgroundCard',
  'in-place',
);
const LanguagesCard = lazyPart(
  () => import('#features/portals/design/languages-card.tsx'),
  'LanguagesCard',
  'in-place',
);
const HeaderFooterCard = lazyPart(
  () => import('#features/portals/design/header-footer-card.tsx'),
  'HeaderFooterCard',
  'in-place',
);
const ColoursCard = lazyPart(() => import('#features/portals/design/colours-card.tsx'), 'ColoursCard', 'in-place');
const CustomCssCard = lazyPart(
  () => import('#features/portals/design/custom-css-card.tsx'),
  'CustomCssCard',
  'in-place',
);
const LinksCard = lazyPart(() => import('#features/portals/design/links-card.tsx'), 'LinksCard', 'in-place');

/** The name and the design of a portal: scheme, logo, background, welcome text and colours. */
export function GeneralFields({ form }: { form: GeneralForm }) {
  const { t } = useTranslation('portal-editor');
  const { readOnly } = useEditor();
  const { values, getInputProps } = form;
  const weak = useWeakColours(values.styles);
  const part = { form, weak };
  return (
    <fieldset className={layout.whole} disabled={readOnly}>
      {!readOnly && <TemplateCard form={form} />}
      <Card title={t('tab.general')}>
        <div className={layout.fields}>
          <TextInput label={t('name')} withAsterisk {...getInputProps('name')} />
          <ChoiceField
            label={t('style.color_scheme')}
            description={t('style.color_scheme_help')}
            options={[
              { value: 'light', label: t('light') },
              { value: 'dark', label: t('dark') },
            ]}
            disabled={readOnly}
            {...getInputProps('styles.color_scheme')}
          />
          <ChoiceField
            label={t('style.provider_layout')}
            description={t('style.provider_layout_help')}
            options={[
              { value: 'dropdown', label: t('dropdown') },
              { value: 'scroll', label: t('scroll') },
            ]}
            disabled={readOnly}
            {...getInputProps('styles.provider_layout')}
          />
        </div>
      </Card>
      <LanguagesCard form={form} />
      <LookCard {...part} />
      <LogoCard {...part} />
      <BackgroundCard {...part} />
      <WelcomeCard {...part} />
      <HeaderFooterCard form={form} />
      <LinksCard form={form} />
      <ColoursCard {...part} />
      <CustomCssCard form={form} />
    </fieldset>
  );
}
