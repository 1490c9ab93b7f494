import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A password field. Mantine marks only the wrapper as invalid, so the input is marked for screen readers. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  const toggle = { 'aria-label': t('showPassword'), tabIndex: 0 };
  return (
    <PasswordInput visibilityToggleButtonProps={toggle} {...props} aria-invalid={props.error ? true : undefined} />
  );
}
