import { Button, Group, Modal } from '@mantine/core';
import type { IssuedCertificate } from '@portico/contract/device-certificates.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '#features/devices/setup/setup.module.css';
import { downloadText } from '#lib/download-text.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import modal from '#ui/modal.module.css';

interface Props {
  device: DeviceDetail;
  made: IssuedCertificate;
  onClose: () => void;
}

/** RouterOS commands that import the uploaded file. They find the certificate by its fingerprint, because its name may differ. */
function routerOsLines(file: string, fingerprint: string, port: number): string {
  const print = fingerprint.replaceAll(':', '').toLowerCase();
  return [
    `/certificate import file-name=${file} passphrase=""`,
    `/radius set [find where comment="portico"] protocol=radsec secret=radsec authentication-port=${port} accounting-port=${port} certificate=[/certificate get [/certificate find where fingerprint="${print}"] name]`,
    `/file remove ${file}`,
  ].join('\n');
}

/** Shows a certificate with its private key, which cannot be shown again. So only the button closes the dialog. */
export function CertificateIssued({ device, made, onClose }: Props) {
  const { t } = useTranslation('devices');
  const base = `portico-radsec-${device.nas_identifier}`;
  const parts = [
    { name: t('radsec.parts.certificate'), file: `${base}.crt`, text: made.certificate },
    { name: t('radsec.parts.key'), file: `${base}.key`, text: made.private_key },
    { name: t('radsec.parts.authority'), file: 'portico-radsec-ca.crt', text: made.authority },
  ];
  const lines = routerOsLines(`${base}.pem`, made.fingerprint, device.radius.radsec_port ?? 2083);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('radsec.madeTitle')}
      size={760}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      classNames={modal}
    >
      <p className={modal.text}>{t('radsec.madeText')}</p>
      <div className={classes.buttons}>
        <Button
          leftSection={<IconDownload size={16} />}
          onClick={() => downloadText(`${base}.pem`, parts.map(part => part.text).join(''))}
          data-autofocus
        >
          {t('radsec.bundle')}
        </Button>
        {parts.map(part => (
          <Button key={part.file} variant="default" onClick={() => downloadText(part.file, part.text)}>
            {part.name}
          </Button>
        ))}
      </div>
      {device.brand.slug === 'mikrotik' && (
        <div role="region" aria-label={t('radsec.routerOs')}>
          <div className={classes.scriptHead}>
            <span>{t('radsec.routerOsHelp')}</span>
            <CopyButton value={lines} label={t('radsec.routerOs')} />
          </div>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it. */}
          <pre className={classes.script} tabIndex={0}>
            {lines}
          </pre>
        </div>
      )}
      <Group justify="flex-end" mt={20}>
        <Button variant="default" onClick={onClose}>
          {t('radsec.done')}
        </Button>
      </Group>
    </Modal>
  );
}
