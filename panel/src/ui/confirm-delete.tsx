import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from '#ui/confirm.tsx';

interface Props {
  /** The name of the object to delete. */
  name: string;
  title?: string;
  text?: ReactNode;
  /** The label of the button: the action. Default: delete. */
  action?: string | undefined;
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is deleted. Mounted only while it asks. */
export function ConfirmDelete({ name, title, text, action, pending, onConfirm, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const lower = (word: string) => word.toLocaleLowerCase(i18n.language);
  return (
    <Confirm
      opened
      title={title ?? t('confirm.title')}
      text={text ?? t('confirm.text', { name })}
      confirm={`${t('yes')}, ${lower(action ?? t('delete'))}`}
      cancel={t('no')}
      danger
      pending={pending}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
