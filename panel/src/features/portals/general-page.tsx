import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { BackgroundCard } from '#features/portals/background-card.tsx';
import { ChoiceField } from '#features/portals/choice-field.tsx';
import { ColoursCard } from '#features/portals/colours-card.tsx';
import { useEditor, usePreviewed } from '#features/portals/editor-context.ts';
import { changedStyles, drawable, type GeneralValues } from '#features/portals/general-values.ts';
import { LogoCard } from '#features/portals/logo-card.tsx';
import { useUpdatePortal } from '#features/portals/portals.api.ts';
import { useWeakColours } from '#features/portals/use-weak-colours.ts';
import { WelcomeCard } from '#features/portals/welcome-card.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function GeneralPage() {
  const { portal } = useEditor();
  return <GeneralForm key={portal.updated_at} />;
}

function GeneralForm() {
  const { t } = useTranslation('portal-editor');
  const { portal, readOnly } = useEditor();
  const update = useUpdatePortal(portal.id);
  const welcome = portal.messages.welcome_message_title;
  const initial: GeneralValues = {
    name: portal.name,
    styles: portal.styles,
    messages: { welcome_message_title: welcome },
  };
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).generalPortal,
    initial,
    submit: ({ styles, ...values }) =>
      update.mutateAsync({ ...values, styles: changedStyles(styles as typeof portal.styles, portal.styles) }),
  });
  const { values, getInputProps } = form;
  usePreviewed(
    { type: 'portico:style-changed', styles: drawable(values.styles) },
    { type: 'portico:style-changed', styles: portal.styles },
  );
  usePreviewed(
    { type: 'portico:message-changed', messages: values.messages },
    { type: 'portico:message-changed', messages: { welcome_message_title: welcome } },
  );
  const weak = useWeakColours(values.styles);
  const part = { form, weak };
  return (
    <form {...element}>
      <fieldset className={layout.whole} disabled={readOnly}>
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
        <LogoCard {...part} />
        <BackgroundCard {...part} />
        <WelcomeCard {...part} />
        <ColoursCard {...part} />
      </fieldset>
      <SaveBar dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
