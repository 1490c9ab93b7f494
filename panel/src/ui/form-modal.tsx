import { Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from '#ui/confirm.tsx';
import classes from '#ui/modal.module.css';
import type { ContractForm } from '#ui/use-contract-form.ts';

interface Props<Values extends Record<string, unknown>> {
  title: string;
  form: ContractForm<Values>;
  /** The label of the button, by default `Save`. */
  submitLabel?: string;
  pending: boolean;
  /** Disables the button until the form can be sent. */
  incomplete?: boolean;
  size?: number;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. It is mounted only while it is open, so it always starts with fresh values. */
export function FormModal<Values extends Record<string, unknown>>({
  title,
  form,
  submitLabel,
  pending,
  incomplete = false,
  size = 520,
  onClose,
  children,
}: Props<Values>) {
  const { t } = useTranslation(['common', 'unsaved']);
  const [asking, setAsking] = useState(false);
  const close = () => (form.form.isDirty() && !pending ? setAsking(true) : onClose());
  return (
    <>
      <Modal
        opened
        onClose={close}
        title={title}
        size={size}
        closeButtonProps={{ 'aria-label': t('close') }}
        classNames={classes}
        trapFocus={!asking}
        closeOnEscape={!asking}
      >
        <form {...form.element}>
          <div className={classes.fields}>{children}</div>
          <Group justify="flex-end" gap={8} className={classes.foot ?? ''}>
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={pending} disabled={incomplete}>
              {submitLabel ?? t('save')}
            </Button>
          </Group>
        </form>
      </Modal>
      {/* Mounted only while asking: otherwise the Escape key that asks would also answer. */}
      {asking && (
        <Confirm
          opened
          title={t('unsaved:title')}
          text={t('unsaved:text')}
          confirm={t('unsaved:leave')}
          cancel={t('unsaved:stay')}
          danger
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
