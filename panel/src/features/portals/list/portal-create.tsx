import { TextInput } from '@mantine/core';
import type { TemplateName } from '@portico/contract/portal-templates.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { unsavedPortalId, useCreatePortal } from '#features/portals/portals.api.ts';
import { TemplateGallery } from '#features/portals/templates/template-gallery.tsx';
import { useWorkingLocation } from '#lib/working-location.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** The design and the sample texts of a template. */
async function startOf(name: TemplateName) {
  const { templateStyles, templates } = await import('@portico/contract/portal-templates.ts');
  return { styles: templateStyles(name), messages: templates[name].messages };
}

export function PortalCreate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('portals');
  const navigate = useNavigate();
  const create = useCreatePortal();
  const [template, setTemplate] = useState<TemplateName | null>(null);
  const form = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).newPortal,
    initial: { name: '', location_id: useWorkingLocation() },
    submit: async values => {
      const { data } = await create.mutateAsync({ ...values, ...(template && (await startOf(template))) });
      onClose();
      await navigate({ to: '/portals/$portalId/edit', params: { portalId: data.id } });
    },
  });
  return (
    <FormModal title={t('add')} form={form} pending={create.isPending} size={820} onClose={onClose}>
      <TextInput label={t('name')} withAsterisk data-autofocus {...form.form.getInputProps('name')} />
      <LocationField {...form.form.getInputProps('location_id')} />
      <TemplateGallery portalId={unsavedPortalId} value={template} onChange={setTemplate} blank />
    </FormModal>
  );
}
