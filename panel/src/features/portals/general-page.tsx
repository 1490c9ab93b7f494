import type { ComponentType } from 'react';
import { useEditor, usePreviewed } from '#features/portals/editor-context.ts';
import { GeneralFields } from '#features/portals/general-fields.tsx';
import { changedStyles, drawable, type GeneralValues } from '#features/portals/general-values.ts';
import { useUpdatePortal } from '#features/portals/portals.api.ts';
import { SaveBar, type SaveBarProps } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function GeneralPage({ Foot = SaveBar }: { Foot?: ComponentType<SaveBarProps> }) {
  const { portal } = useEditor();
  return <GeneralForm key={portal.updated_at} Foot={Foot} />;
}

function GeneralForm({ Foot }: { Foot: ComponentType<SaveBarProps> }) {
  const { portal } = useEditor();
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
  const { values } = form;
  usePreviewed(
    { type: 'portico:style-changed', styles: drawable(values.styles) },
    { type: 'portico:style-changed', styles: portal.styles },
  );
  usePreviewed(
    { type: 'portico:message-changed', messages: values.messages },
    { type: 'portico:message-changed', messages: { welcome_message_title: welcome } },
  );
  return (
    <form {...element}>
      <GeneralFields form={form} />
      <Foot dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
