import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A password. Mantine marks the frame of a wrong one; those who hear the page are told at the field. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  const toggle = { 'aria-label': t('showPassword'), tabIndex: 0 };
  return (
    <PasswordInput visibilityToggleButtonProps={toggle} {...props} aria-invalid={props.error ? true : undefined} />
  );
}
