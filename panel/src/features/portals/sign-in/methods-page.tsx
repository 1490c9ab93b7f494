import type { ComponentType } from 'react';
import { DraftBar, type FootProps } from '#features/portals/editor/draft-bar.tsx';
import { useEditor, useMine, usePreviewValues } from '#features/portals/editor/editor-context.ts';
import { useSavePortal } from '#features/portals/editor/use-save-portal.ts';
import { useUndo } from '#features/portals/editor/use-undo.ts';
import { useAvailableMethods } from '#features/portals/portals.api.ts';
import { type MethodsValues, methodMessages, methodsForPreview } from '#features/portals/sign-in/method-values.ts';
import { MethodsFields, useRequiredSecurityCode } from '#features/portals/sign-in/methods-fields.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function MethodsPage({ Foot = DraftBar }: { Foot?: ComponentType<FootProps> }) {
  const { formKey, portal } = useEditor();
  // Notes about methods that the location lacks would move the cards below them.
  if (!useAvailableMethods(portal.location_id)) return <FormSkeleton fields={7} />;
  return <MethodsForm key={formKey} Foot={Foot} />;
}

function MethodsForm({ Foot }: { Foot: ComponentType<FootProps> }) {
  const { portal } = useEditor();
  const { pending, send, wrapSubmit, onSaveDraft } = useSavePortal();
  const initial: MethodsValues = { providers: portal.providers, messages: methodMessages(portal) };
  const { form, adoption, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).methodsPortal,
    initial,
    version: portal.updated_at,
    submit: send,
  });
  const undo = useUndo(form, adoption);
  useMine(form.values);
  const { values } = form;
  usePreviewValues(
    { type: 'portico:provider-changed', providers: methodsForPreview(values.providers) },
    { type: 'portico:provider-changed', providers: portal.providers },
  );
  usePreviewValues(
    { type: 'portico:message-changed', messages: values.messages },
    { type: 'portico:message-changed', messages: initial.messages },
  );
  return (
    <form {...element} onSubmit={wrapSubmit(useRequiredSecurityCode(form, element))}>
      <MethodsFields form={form} />
      <Foot dirty={form.isDirty()} pending={pending} onDiscard={form.reset} onSaveDraft={onSaveDraft} undo={undo} />
    </form>
  );
}
