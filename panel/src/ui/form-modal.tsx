import { Button, Group, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from '#ui/confirm.tsx';
import classes from '#ui/modal.module.css';
import type { ContractForm } from '#ui/use-contract-form.ts';

interface Props<Values extends Record<string, unknown>> {
  title: string;
  form: ContractForm<Values>;
  /** What the button says; `Save` without it. */
  submitLabel?: string;
  pending: boolean;
  /** The button waits until what it needs is there. */
  incomplete?: boolean;
  size?: number;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. It is drawn only while it is open, so it always begins with fresh values. */
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
  const { t } = useTranslation();
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
      {/* Drawn only then: else the Escape that asks would also be the answer. */}
      {asking && (
        <Confirm
          opened
          title={t('unsaved.title')}
          text={t('unsaved.text')}
          confirm={t('unsaved.leave')}
          cancel={t('unsaved.stay')}
          danger
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
