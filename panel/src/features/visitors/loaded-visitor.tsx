import { Modal } from '@mantine/core';
import type { Visitor } from '@portico/contract/visitors.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useVisitor } from '#features/visitors/visitors.api.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import modal from '#ui/modal.module.css';

interface Props {
  id: string;
  title: string;
  size: number;
  onClose: () => void;
  children: (visitor: Visitor) => ReactNode;
}

/** Loads a visitor for a dialog, because list rows lack some details. */
export function LoadedVisitor({ id, title, size, onClose, children }: Props) {
  const { t } = useTranslation();
  const query = useVisitor(id);
  if (query.data) return children(query.data.data);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      classNames={modal}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {query.error ? (
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <FormSkeleton fields={4} />
      )}
    </Modal>
  );
}
