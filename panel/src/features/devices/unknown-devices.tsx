import { Button } from '@mantine/core';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import type { UnknownDevice } from '@portico/contract/unknown-devices.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import classes from '#features/devices/unknown-devices.module.css';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/client.ts';
import { everyMinute } from '#lib/use-live.ts';
import { Notice } from '#ui/notice.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

interface Props {
  /** A device that has sent no packet yet. One of the routers may be this device with another NAS-Identifier. */
  device?: DeviceDetail;
  /** Opens the wizard with the known data of the router. */
  onAdd?: (router: UnknownDevice) => void;
}

/** Lists the routers that send packets but were not added. Renders nothing for an empty list. */
export function UnknownDevices({ device, onAdd }: Props) {
  const { t } = useTranslation('devices');
  const found = useQuery({ ...queryOf(api.unknownDevices.list), ...everyMinute }).data?.data ?? [];
  if (found.length === 0) return null;
  const why = ({ seen_by, proxy, device: prover }: UnknownDevice): string =>
    seen_by === 'caller' ? t('unknown.caller') : t(`unknown.${seen_by}`, { name: (proxy ?? prover)?.name ?? '' });
  return (
    <Notice
      tone="info"
      title={t(device ? 'unknown.titleDevice' : 'unknown.title', { count: found.length })}
      action={
        <ul className={classes.routers}>
          {found.map(it => (
            <li key={it.id}>
              <span>
                {it.nas_identifier === null ? (
                  t('unknown.unnamed', { address: it.address })
                ) : (
                  <>
                    {t('unknown.named', { address: it.address })} <code>{it.nas_identifier}</code>.
                  </>
                )}{' '}
                {why(it)}{' '}
                <small>
                  <RelativeTime time={it.last_at} />
                </small>
              </span>
              {onAdd && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('unknown.add', { name: it.nas_identifier ?? it.address })}
                  onClick={() => onAdd(it)}
                >
                  {t('unknown.addIt')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      }
    >
      {device && `${t('unknown.deviceAdvice', { nas: device.nas_identifier })} `}
      {t('unknown.unproven')}
    </Notice>
  );
}
