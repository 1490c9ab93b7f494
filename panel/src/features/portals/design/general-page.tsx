import type { ComponentType } from 'react';
import { GeneralFields } from '#features/portals/design/general-fields.tsx';
import {
  type GeneralValues,
  generalTexts,
  wholeLinks,
  withoutInvalidColours,
} from '#features/portals/design/general-values.ts';
import { DraftBar, type FootProps } from '#features/portals/editor/draft-bar.tsx';
import { useEditor, useMine, usePreviewValues } from '#features/portals/editor/editor-context.ts';
import { useSavePortal } from '#features/portals/editor/use-save-portal.ts';
import { useUndo } from '#features/portals/editor/use-undo.ts';
import { useContractForm } from '#ui/use-contract-form.ts';

export function GeneralPage({ Foot = DraftBar }: { Foot?: ComponentType<FootProps> }) {
  const { formKey } = useEditor();
  return <GeneralForm key={formKey} Foot={Foot} />;
}

function GeneralForm({ Foot }: { Foot: ComponentType<FootProps> }) {
  const { portal } = useEditor();
  const { pending, send, wrapSubmit, onSaveDraft } = useSavePortal();
  const initial: GeneralValues = {
    name: portal.name,
    styles: portal.styles,
    page: {
      links: portal.page.links,
      languages: portal.page.languages,
      own_languages: portal.page.own_languages,
    },
    messages: generalTexts(portal),
  };
  const { form, adoption, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).generalPortal,
    initial,
    version: portal.updated_at,
    submit: send,
  });
  const undo = useUndo(form, adoption);
  useMine(form.values);
  const { values } = form;
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
  return (
    <form {...element} onSubmit={wrapSubmit(element.onSubmit)}>
      <GeneralFields form={form} />
      <Foot dirty={form.isDirty()} pending={pending} onDiscard={form.reset} onSaveDraft={onSaveDraft} undo={undo} />
    </form>
  );
}
