import { Button, SegmentedControl } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GeneralFields } from '#features/portals/design/general-fields.tsx';
import { type GeneralValues, withoutInvalidColours } from '#features/portals/design/general-values.ts';
import { useEditor, usePreviewValues } from '#features/portals/editor/editor-context.ts';
import { EmbeddedEditor } from '#features/portals/editor/embedded-editor.tsx';
import classes from '#features/portals/editor/portal-editor.module.css';
import setup from '#features/portals/editor/portal-setup.module.css';
import { ReadOnlyNote } from '#features/portals/editor/read-only-note.tsx';
import { useSavePortal } from '#features/portals/editor/use-save-portal.ts';
import { type MethodsValues, methodMessages, methodsForPreview } from '#features/portals/sign-in/method-values.ts';
import { MethodsFields, useRequiredSecurityCode } from '#features/portals/sign-in/methods-fields.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  portalId: string;
  /** Shown beside the Save button. */
  back?: ReactNode;
  onSaved: () => void;
}

/** The design and the sign-in methods of a portal in one form, with the preview: a step of the setup wizard. */
export function PortalSetup({ portalId, ...rest }: Props) {
  return (
    <EmbeddedEditor portalId={portalId}>
      {showPreview => <SetupForm onPreview={showPreview} {...rest} />}
    </EmbeddedEditor>
  );
}

type Values = Omit<GeneralValues, 'messages'> &
  Omit<MethodsValues, 'messages'> & { messages: GeneralValues['messages'] & MethodsValues['messages'] };

function SetupForm({ back, onSaved, onPreview }: Omit<Props, 'portalId'> & { onPreview: () => void }) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const { portal, readOnly } = useEditor();
  const { pending, send } = useSavePortal();
  const [part, setPart] = useState<'general' | 'methods'>('general');
  const initial: Values = {
    name: portal.name,
    styles: portal.styles,
    providers: portal.providers,
    messages: { welcome_message_title: portal.messages.welcome_message_title, ...methodMessages(portal) },
  };
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).setupPortal,
    initial,
    submit: async values => {
      await send(values);
      onSaved();
    },
  });
  const { values, errors } = form;
  usePreviewValues(
    { type: 'portico:style-changed', styles: withoutInvalidColours(values.styles) },
    { type: 'portico:style-changed', styles: portal.styles },
  );
  usePreviewValues(
    { type: 'portico:message-changed', messages: values.messages },
    { type: 'portico:message-changed', messages: initial.messages },
  );
  usePreviewValues(
    { type: 'portico:provider-changed', providers: methodsForPreview(values.providers) },
    { type: 'portico:provider-changed', providers: portal.providers },
  );
  const wrong = Object.keys(errors)[0];
  // The part with the first error must be visible before its field gets the focus.
  useLayoutEffect(() => {
    if (!wrong) return;
    const inGeneral = /^(name|styles|messages\.welcome)/.test(wrong);
    setPart(inGeneral ? 'general' : 'methods');
  }, [wrong]);

  return (
    <form {...element} onSubmit={useRequiredSecurityCode(form, element)}>
      <div className={setup.parts}>
        <SegmentedControl
          aria-label={t('setupParts')}
          data={[
            { value: 'general', label: t('setupLooks') },
            { value: 'methods', label: t('tab.methods') },
          ]}
          value={part}
          onChange={value => setPart(value as typeof part)}
        />
        <Button
          className={classes.showPreview ?? ''}
          variant="default"
          leftSection={<IconDeviceMobile size={16} />}
          onClick={onPreview}
        >
          {t('preview.show')}
        </Button>
      </div>
      <ReadOnlyNote />
      {part === 'general' ? <GeneralFields form={form} /> : <MethodsFields form={form} />}
      <div className={setup.foot}>
        {back}
        {readOnly ? (
          <Button onClick={onSaved}>{t('common:next')}</Button>
        ) : (
          <Button type="submit" loading={pending}>
            {t('common:save')}
          </Button>
        )}
      </div>
    </form>
  );
}
