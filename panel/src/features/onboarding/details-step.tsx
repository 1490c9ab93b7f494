import { Button, TextInput } from '@mantine/core';
import { hasSerialNumber } from '@portico/contract/device-kinds.ts';
import type { Brand } from '@portico/contract/devices.ts';
import { isMac } from '@portico/contract/mac.ts';
import { useTranslation } from 'react-i18next';
import { SecretField } from '#features/devices/public.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { ProfileFields } from '#features/onboarding/profile-fields.tsx';
import type { FirstDevice } from '#features/onboarding/use-first-device.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { MacInput } from '#ui/mac-input.tsx';

interface Props {
  first: FirstDevice;
  brand: Brand;
  secret: string;
  onBack: () => void;
}

export function DetailsStep({ first, brand, secret, onBack }: Props) {
  const { t } = useTranslation(['onboarding', 'devices', 'common']);
  const { form, element, withProfile, pending } = first;
  const { values, getInputProps } = form;
  const serial = hasSerialNumber(brand.slug);
  const identified = serial ? values.mac_address.trim() !== '' : isMac(values.mac_address);
  const filled = values.name.trim() !== '' && identified;
  return (
    <form {...element} className={classes.narrow}>
      <Card title={t('details.device', { brand: brand.name })}>
        <div className={layout.fields}>
          <TextInput
            label={t('details.name')}
            placeholder={t('devices:namePlaceholder')}
            withAsterisk
            autoComplete="off"
            {...getInputProps('name')}
          />
          {serial ? (
            <>
              <TextInput
                label={t('devices:serial')}
                withAsterisk
                autoComplete="off"
                {...getInputProps('mac_address')}
              />
              <SecretField secret={secret} />
            </>
          ) : (
            <MacInput
              label={t('devices:mac')}
              description={t('details.macHelp')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              withAsterisk
              {...getInputProps('mac_address')}
            />
          )}
        </div>
      </Card>
      {withProfile && <ProfileFields form={form} />}
      <div className={classes.foot}>
        <Button variant="default" onClick={onBack} disabled={pending}>
          {t('common:back')}
        </Button>
        <Button type="submit" disabled={!filled} loading={pending}>
          {t('common:save')}
        </Button>
      </div>
    </form>
  );
}
