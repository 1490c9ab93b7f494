import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from '#features/devices/setup/setup.module.css';
import { CopyButton } from '#ui/copy-button.tsx';

/** The generated secret of a new device, read-only with a copy button. */
export function SecretField({ secret }: { secret: string }) {
  const { t } = useTranslation('devices');
  return (
    <TextInput
      label={t('secret')}
      description={t('wizard.secretHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      readOnly
      value={secret}
      classNames={{ input: classes.secretBox ?? '' }}
      rightSection={<CopyButton value={secret} label={t('secret')} />}
    />
  );
}
