import { Button, SegmentedControl } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import type { PortalForm } from '@portico/contract/portals.ts';
import { IconDeviceMobile } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GeneralFields } from '#features/portals/design/general-fields.tsx';
import {
  type GeneralValues,
  generalTexts,
  wholeLinks,
  withoutInvalidColours,
} from '#features/portals/design/general-values.ts';
import { useEditor, usePreviewValues } from '#features/portals/editor/editor-context.ts';
import { EmbeddedEditor, NewPortalEditor } from '#features/portals/editor/embedded-editor.tsx';
import classes from '#features/portals/editor/portal-editor.module.css';
import setup from '#features/portals/editor/portal-setup.module.css';
import { ReadOnlyNote } from '#features/portals/editor/read-only-note.tsx';
import { useSavePortal } from '#features/portals/editor/use-save-portal.ts';
import { type MethodsValues, methodMessages, methodsForPreview } from '#features/portals/sign-in/method-values.ts';
import { MethodsFields, useRequiredSecurityCode } from '#features/portals/sign-in/methods-fields.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  /** The portal, or null to create one for the location. */
  portalId: string | null;
  location: Location;
  create: (form: PortalForm) => Promise<unknown>;
  /** Shown beside the Save button. */
  back?: ReactNode;
  onSaved: () => void;
}

/** The design and the sign-in methods of a portal in one form, with the preview: a step of the setup wizard. */
export function PortalSetup({ portalId, location, create, ...rest }: Props) {
  const [startId] = useState(portalId);
  const children = (showPreview: () => void) => <SetupForm onPreview={showPreview} {...rest} />;
  // The form stays while the step that it leads to loads.
  return startId === null ? (
    <NewPortalEditor location={location} create={create}>
      {children}
    </NewPortalEditor>
  ) : (
    <EmbeddedEditor portalId={startId}>{children}</EmbeddedEditor>
  );
}

type Values = Omit<GeneralValues, 'messages'> &
  Omit<MethodsValues, 'messages'> & { messages: GeneralValues['messages'] & MethodsValues['messages'] };

function SetupForm({ back, onSaved, onPreview }: Pick<Props, 'back' | 'onSaved'> & { onPreview: () => void }) {
  const { t } = useTranslation(['portal-editor', 'common']);
  const { portal, readOnly } = useEditor();
  const { pending, send } = useSavePortal();
  const [part, setPart] = useState<'general' | 'methods'>('general');
  const initial: Values = {
    name: portal.name,
    styles: portal.styles,
    page: {
      links: portal.page.links,
      languages: portal.page.languages,
      own_languages: portal.page.own_languages,
    },
    providers: portal.providers,
    messages: { ...generalTexts(portal), ...methodMessages(portal) },
  };
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).setupPortal,
    initial,
    version: portal.updated_at,
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
    { type: 'portico:page-changed', page: wholeLinks(values.page) },
    { type: 'portico:page-changed', page: initial.page },
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
    const inGeneral = /^(name|styles|page|messages\.(welcome|subtitle|header|footer|opening))/.test(wrong);
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
