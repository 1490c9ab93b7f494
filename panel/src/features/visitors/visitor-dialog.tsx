import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { VisitorForm } from '#features/visitors/visitor-form.tsx';
import { useVisitor } from '#features/visitors/visitors.api.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import modal from '#ui/modal.module.css';

/** The form of a visitor. Loads the details first, because list rows lack some of them. */
export function VisitorDialog({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { t } = useTranslation(['visitors', 'common']);
  const query = useVisitor(id);
  if (!id) return <VisitorForm visitor={undefined} onClose={onClose} />;
  if (query.data) return <VisitorForm visitor={query.data.data} onClose={onClose} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('edit')}
      size={580}
      classNames={modal}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      {query.error ? (
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <FormSkeleton fields={4} />
      )}
    </Modal>
  );
}
