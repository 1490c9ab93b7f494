import { Button } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconKey } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRenewSecret } from '#features/devices/device-setup.api.ts';
import classes from '#features/devices/devices.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Notice } from '#ui/notice.tsx';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

/** Creates a new secret for a device and shows how to set it on the router. */
export function RenewSecret({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['devices', 'common']);
  const renew = useRenewSecret(device.id);
  const [asking, setAsking] = useState(false);
  const made = renew.data?.data.secret;
  const { name: brand, slug } = device.brand;
  return (
    <div className={classes.renew}>
      {device.secret_unreadable && (
        <Notice tone="bad" title={t('renew.unreadable')}>
          {t('renew.unreadableText')}
        </Notice>
      )}
      {made && (
        <Notice tone="warn" title={t('renew.made')} action={<CopyButton value={made} label={t('secret')} />}>
          <code className={classes.secret}>{made}</code>
          <br />
          {t(slug === 'mikrotik' ? 'renew.pasteScript' : 'renew.enter', { brand })}
        </Notice>
      )}
      <Button variant="default" leftSection={<IconKey size={16} />} onClick={() => setAsking(true)}>
        {t('renew.button')}
      </Button>
      {asking && (
        <Confirm
          opened
          danger
          title={t('renew.ask', { name: device.name })}
          text={t(slug === 'mikrotik' ? 'renew.askScript' : 'renew.askText', { brand })}
          confirm={t('renew.confirm')}
          cancel={t('common:cancel')}
          pending={renew.isPending}
          onConfirm={() => renew.mutate(undefined, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
