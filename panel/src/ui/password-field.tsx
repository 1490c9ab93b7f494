import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password. Mantine marks the frame of a wrong one; those who hear the page are told at the field. */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput {...props} aria-invalid={props.error ? true : undefined} />
);
