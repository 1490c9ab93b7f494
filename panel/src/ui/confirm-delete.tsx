import { useTranslation } from 'react-i18next';
import { Confirm } from '#ui/confirm.tsx';

interface Props<T> {
  /** What is to be deleted; nothing is asked without it. */
  item: T | undefined;
  nameOf: (item: T) => string;
  title?: string;
  text?: string;
  pending: boolean;
  onConfirm: (item: T) => void;
  onClose: () => void;
}

export function ConfirmDelete<T>({ item, nameOf, title, text, pending, onConfirm, onClose }: Props<T>) {
  const { t } = useTranslation();
  return (
    <Confirm
      opened={item !== undefined}
      title={title ?? t('confirm.title')}
      text={text ?? (item === undefined ? '' : t('confirm.text', { name: nameOf(item) }))}
      confirm={t('yes')}
      cancel={t('no')}
      danger
      pending={pending}
      onConfirm={() => item !== undefined && onConfirm(item)}
      onClose={onClose}
    />
  );
}
