import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import modal from '#ui/modal.module.css';
import classes from '#ui/print-dialog.module.css';

interface Props {
  title: string;
  /** The part above the sheet, which is not printed. */
  bar: ReactNode;
  onClose: () => void;
  /** The printed part. Its element has `data-printed`. */
  children: ReactNode;
}

/** A full-screen dialog that shows exactly the printed pages. */
export function PrintDialog({ title, bar, onClose, children }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      fullScreen
      title={title}
      transitionProps={{ duration: 0 }}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{
        inner: classes.inner ?? '',
        content: classes.content ?? '',
        header: classes.header ?? '',
        title: modal.title ?? '',
        body: classes.body ?? '',
        overlay: classes.overlay ?? '',
      }}
    >
      <div className={classes.bar}>{bar}</div>
      {children}
    </Modal>
  );
}
