import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChooseEvery } from '#ui/choose-every.tsx';
import classes from '#ui/selection-bar.module.css';

interface Props {
  count: number;
  onClear: () => void;
  every?: ChooseEvery;
  /** The buttons. */
  children: ReactNode;
}

/** Stands above the lower edge of the window while rows are selected, with what can be done with them. */
export function SelectionBar({ count, onClear, every, children }: Props) {
  const { t } = useTranslation('table');
  return (
    <section className={classes.bar} aria-label={t('selection')} tabIndex={-1}>
      <span aria-live="polite">{t('selected', { count })}</span>
      {every?.button}
      <fieldset className={classes.buttons} disabled={every?.pending}>
        {children}
      </fieldset>
      <button type="button" className={classes.clear} aria-label={t('clearSelection')} onClick={onClear}>
        <IconX size={16} aria-hidden />
      </button>
    </section>
  );
}

interface ActionProps {
  icon: ComponentType<{ size?: number }>;
  label: string;
  pending?: boolean;
  /** Why the action can't be used on these rows. The button can still be reached by key, and the reason stands beside it. */
  reason?: string | undefined;
  onClick: () => void;
}

export function SelectionAction({ icon: Icon, label, pending = false, reason, onClick }: ActionProps) {
  const id = useId();
  const barred = reason && { 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': id };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon size={14} />}
        loading={pending}
        {...(barred || { onClick })}
      >
        {label}
      </Button>
      {reason && (
        <small id={id} className={classes.reason}>
          {reason}
        </small>
      )}
    </>
  );
}
