import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from '#ui/confirm.tsx';

interface Props {
  /** What will be deleted, by its name. */
  name: string;
  title?: string;
  text?: ReactNode;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Yes or no, before something is deleted. Drawn only while it asks. */
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
