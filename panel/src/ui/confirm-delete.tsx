import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from '#ui/confirm.tsx';

interface Props {
  /** The name of the object to delete. */
  name: string;
  title?: string;
  text?: ReactNode;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is deleted. Mounted only while it asks. */
export function ConfirmDelete({ name, title, text, pending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Confirm
      opened
      title={title ?? t('confirm.title')}
      text={text ?? t('confirm.text', { name })}
      confirm={t('yes')}
      cancel={t('no')}
      danger
      pending={pending}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
