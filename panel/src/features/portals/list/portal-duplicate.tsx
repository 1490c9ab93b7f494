import { TextInput } from '@mantine/core';
import type { PortalRow } from '@portico/contract/portals.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDuplicatePortal } from '#features/portals/portals.api.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

/** Asks for the name of the copy, duplicates the portal and opens the copy. */
export function PortalDuplicate({ portal, onClose }: { portal: PortalRow; onClose: () => void }) {
  const { t } = useTranslation('portals');
  const navigate = useNavigate();
  const duplicate = useDuplicatePortal(portal.id);
  const form = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).portalCopy,
    initial: { name: t('copyName', { name: portal.name }) },
    submit: async values => {
      const { data } = await duplicate.mutateAsync(values);
      onClose();
      await navigate({ to: '/portals/$portalId/edit', params: { portalId: data.id } });
    },
  });
  return (
    <FormModal
      title={t('duplicateTitle', { name: portal.name })}
      form={form}
      submitLabel={t('duplicate')}
      pending={duplicate.isPending}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        description={t('duplicateHelp')}
        withAsterisk
        data-autofocus
        {...form.form.getInputProps('name')}
      />
    </FormModal>
  );
}
