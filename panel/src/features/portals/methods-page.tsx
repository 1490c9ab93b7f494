import type { ComponentType } from 'react';
import { useEditor, usePreviewed } from '#features/portals/editor-context.ts';
import { type MethodsValues, methodMessages, previewedMethods } from '#features/portals/method-values.ts';
import { MethodsFields, useCodeAsked } from '#features/portals/methods-fields.tsx';
import { useUpdatePortal } from '#features/portals/portals.api.ts';
import { SaveBar, type SaveBarProps } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function MethodsPage({ Foot = SaveBar }: { Foot?: ComponentType<SaveBarProps> }) {
  const { portal } = useEditor();
  return <MethodsForm key={portal.updated_at} Foot={Foot} />;
}

function MethodsForm({ Foot }: { Foot: ComponentType<SaveBarProps> }) {
  const { portal } = useEditor();
  const update = useUpdatePortal(portal.id);
  const initial: MethodsValues = { providers: portal.providers, messages: methodMessages(portal) };
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).methodsPortal,
    initial,
    submit: values => update.mutateAsync(values),
  });
  const { values } = form;
  usePreviewed(
    { type: 'portico:provider-changed', providers: previewedMethods(values.providers) },
    { type: 'portico:provider-changed', providers: portal.providers },
  );
  usePreviewed(
    { type: 'portico:message-changed', messages: values.messages },
    { type: 'portico:message-changed', messages: initial.messages },
  );
  return (
    <form {...element} onSubmit={useCodeAsked(form, element)}>
      <MethodsFields form={form} />
      <Foot dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
