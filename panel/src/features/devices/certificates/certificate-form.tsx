import { TextInput } from '@mantine/core';
import { certificateForm, type IssuedCertificate } from '@portico/contract/device-certificates.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CertificateIssued } from '#features/devices/certificates/certificate-issued.tsx';
import { useIssueCertificate } from '#features/devices/certificates/certificates.api.ts';
import { FormModal } from '#ui/form-modal.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  device: DeviceDetail;
  onClose: () => void;
}

/** Issues a certificate with a name and a lifetime, then shows it once. */
export function CertificateForm({ device, onClose }: Props) {
  const { t } = useTranslation('devices');
  const issue = useIssueCertificate(device.id);
  const [made, setMade] = useState<IssuedCertificate>();
  const form = useContractForm({
    schema: async () => certificateForm,
    initial: { name: device.name, days: 730 as number | '' },
    submit: async values => setMade((await issue.mutateAsync(values)).data),
  });
  const { getInputProps } = form.form;
  if (made) return <CertificateIssued device={device} made={made} onClose={onClose} />;
  return (
    <FormModal
      title={t('radsec.issue')}
      submitLabel={t('radsec.issueNow')}
      form={form}
      pending={issue.isPending}
      onClose={onClose}
    >
      <TextInput
        label={t('name')}
        description={t('radsec.nameHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
        autoComplete="off"
        data-autofocus
        {...getInputProps('name')}
      />
      <NumberField
        label={t('radsec.days')}
        description={t('radsec.daysHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        withAsterisk
        {...getInputProps('days')}
      />
    </FormModal>
  );
}
