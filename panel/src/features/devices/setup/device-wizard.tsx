import { Button, Group, Modal, TextInput } from '@mantine/core';
import { hasSerialNumber } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { isMac } from '@portico/contract/mac.ts';
import type { UnknownDevice } from '@portico/contract/unknown-devices.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBrands, useCreateDevice } from '#features/devices/devices.api.ts';
import { BrandChoice } from '#features/devices/setup/brand-choice.tsx';
import { DeviceReady } from '#features/devices/setup/device-ready.tsx';
import { generateSecret } from '#features/devices/setup/device-secret.ts';
import { SecretField } from '#features/devices/setup/secret-field.tsx';
import setup from '#features/devices/setup/setup.module.css';
import { useWorkingLocation } from '#lib/working-location.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { LocationField } from '#ui/location-field.tsx';
import { MacInput } from '#ui/mac-input.tsx';
import classes from '#ui/modal.module.css';
import { Steps } from '#ui/steps.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  /** A router that was not added yet, which fills the fields in as far as it is known. */
  found?: UnknownDevice;
  onClose: () => void;
}

/** Adds a device: brand, address and name, then the values for the router. Mounted while open, so it always starts fresh. */
export function DeviceWizard({ found, onClose }: Props) {
  const { t } = useTranslation(['devices', 'common']);
  const navigate = useNavigate();
  const query = useBrands();
  const brands = query.data?.data ?? [];
  const create = useCreateDevice();
  const [step, setStep] = useState<'brand' | 'details'>('brand');
  const [made, setMade] = useState<DeviceDetail>();
  const [secret] = useState(generateSecret);
  const addressOf = (slug: string) => (hasSerialNumber(slug) ? '' : (found?.mac_address ?? ''));
  const chosen = (id: string | undefined) => brands.find(each => (id ? each.id === id : each.slug === found?.brand));
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/devices/device-schemas.ts')).newDevice,
    initial: {
      brand_id: undefined as string | undefined,
      name: found?.nas_identifier ?? '',
      mac_address: addressOf(found?.brand ?? ''),
      location_id: useWorkingLocation(),
    },
    toInput: values => ({ ...values, brand_id: chosen(values.brand_id)?.id, secret: serial ? secret : undefined }),
    submit: async values => setMade((await create.mutateAsync(values)).data),
  });
  const { values, getInputProps, setFieldValue } = form;
  const brand = chosen(values.brand_id);
  const serial = hasSerialNumber(brand?.slug ?? '');
  const filled = values.name.trim() !== '' && (serial ? values.mac_address !== '' : isMac(values.mac_address));
  const open = (device: DeviceDetail) => {
    onClose();
    void navigate({ to: '/devices/$deviceId', params: { deviceId: device.id } });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('add')}
      size={640}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={classes}
    >
      <Steps
        label={t('add')}
        steps={[t('brand'), t('wizard.details'), t('wizard.connect')]}
        at={made ? 2 : step === 'details' ? 1 : 0}
      />
      {found && !made && (
        <p className={setup.found}>
          {found.nas_identifier === null ? (
            t('unknown.unnamed', { address: found.address })
          ) : (
            <>
              {t('unknown.named', { address: found.address })} <code>{found.nas_identifier}</code>.
            </>
          )}{' '}
          {found.brand && step === 'brand' && t('wizard.guessed')}
        </p>
      )}
      {made && (
        <>
          {found?.nas_identifier && (
            <p className={setup.found}>
              {t('wizard.foundAdvice', { name: found.nas_identifier, nas: made.nas_identifier })}
            </p>
          )}
          <DeviceReady device={made} />
          <Group justify="flex-end" gap={8} className={classes.foot ?? ''}>
            <Button variant="default" onClick={onClose}>
              {t('common:close')}
            </Button>
            <Button onClick={() => open(made)}>{t('wizard.open')}</Button>
          </Group>
        </>
      )}
      {!made && step === 'brand' && (
        <>
          {query.error && !query.data && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
          {query.isPending && <FormSkeleton fields={2} />}
          {query.data && (
            <BrandChoice
              brands={brands}
              value={brand?.id}
              onChange={id => {
                setFieldValue('brand_id', id);
                setFieldValue('mac_address', addressOf(brands.find(each => each.id === id)?.slug ?? ''));
              }}
            />
          )}
          <Group justify="flex-end" gap={8} className={classes.foot ?? ''}>
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button disabled={!brand} onClick={() => setStep('details')}>
              {t('common:next')}
            </Button>
          </Group>
        </>
      )}
      {!made && step === 'details' && (
        <form {...element}>
          <div className={classes.fields}>
            {serial ? (
              <>
                <TextInput
                  label={t('serial')}
                  withAsterisk
                  autoComplete="off"
                  data-autofocus
                  {...getInputProps('mac_address')}
                />
                <SecretField secret={secret} />
              </>
            ) : (
              <MacInput label={t('mac')} withAsterisk data-autofocus {...getInputProps('mac_address')} />
            )}
            <TextInput label={t('name')} placeholder={t('namePlaceholder')} withAsterisk {...getInputProps('name')} />
            <LocationField {...getInputProps('location_id')} />
          </div>
          <Group justify="flex-end" gap={8} className={classes.foot ?? ''}>
            <Button variant="default" onClick={() => setStep('brand')} disabled={create.isPending}>
              {t('common:back')}
            </Button>
            <Button type="submit" disabled={!filled} loading={create.isPending}>
              {t('common:save')}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
}
