import { ActionIcon, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/portals/fields/fields.module.css';
import { typedAs } from '#ui/typed-as.ts';

interface Props {
  label: string;
  description?: string;
  value?: string | null;
  onChange?: (colour: string | null) => void;
  error?: ReactNode;
  /** A warning about a colour that can still be saved. */
  warning?: string | undefined;
  /** Placeholder for no colour. Without it, a colour is required. */
  none?: string;
}

const whole = /^#[0-9a-f]{6}$/i;

/** Accepts `2f71f2` and `#2F71F2`. */
const tidy = (typed: string) => {
  const text = typed.trim().toLowerCase();
  return /^[0-9a-f]{6}$/.test(text) ? `#${text}` : text;
};

/** A colour that can be typed as a hex value or picked. */
export function ColourField({ label, description, value, onChange, error, warning, none }: Props) {
  const { t } = useTranslation(['portal-editor', 'common']);
  return (
    <div>
      <TextInput
        label={label}
        description={description}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={value ?? ''}
        placeholder={none ?? '#2f71f2'}
        maxLength={7}
        spellCheck={false}
        autoComplete="off"
        onChange={event => onChange?.(typedAs(tidy, event.currentTarget) || (none ? null : ''))}
        error={error}
        leftSectionPointerEvents="all"
        leftSection={
          <span className={classes.swatch} data-empty={!value || undefined}>
            <input
              type="color"
              aria-label={t('pickColour', { name: label })}
              value={value && whole.test(value) ? value : '#ffffff'}
              onChange={event => onChange?.(event.currentTarget.value)}
            />
          </span>
        }
        rightSection={
          none &&
          value && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={26}
              aria-label={`${t('common:clear')}: ${label}`}
              onClick={() => onChange?.(null)}
            >
              <IconX size={14} aria-hidden />
            </ActionIcon>
          )
        }
      />
      {warning && (
        <p className={classes.warning} role="status">
          <IconAlertTriangle size={14} aria-hidden />
          {warning}
        </p>
      )}
    </div>
  );
}
