import { Button, Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#ui/modal.module.css';

interface Props {
  opened: boolean;
  title: string;
  text: ReactNode;
  confirm: string;
  cancel: string;
  danger?: boolean;
  pending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** A question with two answers, in the documents' order: Yes and No. The harmless one has the focus. */
export function Confirm({ opened, title, text, confirm, cancel, danger, pending, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      // Above the dialog that opened it, below the menus.
      zIndex={210}
      onClose={onClose}
      title={title}
      size={440}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={classes}
    >
      <div className={classes.text}>{text}</div>
      <Group justify="flex-end" gap={8}>
        <Button {...(danger && { color: 'red' })} onClick={onConfirm} loading={pending ?? false}>
          {confirm}
        </Button>
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel}
        </Button>
      </Group>
    </Modal>
  );
}
