import type { DeviceCertificate } from '@portico/contract/device-certificates.ts';
import { sendsLogsOverTls, usesRadius } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import { IconBan } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useCertificates, useRevokeCertificate } from '#features/devices/certificates/certificates.api.ts';
import { DeviceScreen } from '#features/devices/device-screen.tsx';
import classes from '#features/devices/devices.module.css';
import { formatDate } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useCan } from '#lib/permissions.ts';
import { useListSearch } from '#lib/search.ts';
import { Card } from '#ui/card.tsx';
import type { Column } from '#ui/data-table.tsx';
import { Facts } from '#ui/facts.tsx';
import { AddButton, ListTable, useListPage } from '#ui/list-page.tsx';
import { Notice } from '#ui/notice.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusDot, type Tone } from '#ui/status-dot.tsx';

const CertificateForm = lazyPart(
  () => import('#features/devices/certificates/certificate-form.tsx'),
  'CertificateForm',
);
const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

export const DeviceCertificatesPage = () => (
  <DeviceScreen>
    {device => (
      <>
        <Way device={device} />
        <LogWay device={device} />
        <Certificates device={device} />
      </>
    )}
  </DeviceScreen>
);

/** The address for log lines over TLS, for which the same certificate serves. */
function LogWay({ device: { brand, syslog } }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  if (syslog.tls_port === null || !sendsLogsOverTls(brand.slug)) return null;
  const port = String(syslog.tls_port);
  return (
    <Card title={t('syslogTls')} description={t('syslogTlsHelp')}>
      <Facts
        facts={[
          { label: t('syslogHost'), value: syslog.host, copy: syslog.host, code: true },
          { label: t('radsec.port'), value: port, copy: port, code: true },
        ]}
      />
    </Card>
  );
}

/** The address of RADIUS over TLS, or a note that it is off. */
function Way({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices');
  const { host, radsec_port } = device.radius;
  if (!usesRadius(device.brand.slug)) return null;
  if (radsec_port === null)
    return (
      <Notice tone="info" title={t('radsec.offTitle')}>
        {t('radsec.offText')}
      </Notice>
    );
  const port = String(radsec_port);
  return (
    <Card title={t('radsec.title')} description={t('radsec.help')}>
      <Facts
        facts={[
          { label: t('radiusHost'), value: host, copy: host, code: true },
          { label: t('radsec.port'), value: port, copy: port, code: true },
          { label: t('secret'), value: 'radsec', copy: 'radsec', code: true },
        ]}
      />
    </Card>
  );
}

const tones: Record<DeviceCertificate['state'], Tone> = { valid: 'good', expired: 'bad', revoked: 'idle' };
const warnMs = 30 * 86_400_000;

/** The state of a certificate, and whether it expires soon. */
function State({ of: { state, expires_at } }: { of: DeviceCertificate }) {
  const { t } = useTranslation('devices');
  const ending = state === 'valid' && Date.parse(expires_at) - Date.now() < warnMs;
  return <StatusDot tone={ending ? 'warn' : tones[state]}>{t(`radsec.states.${ending ? 'ending' : state}`)}</StatusDot>;
}

function Certificates({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['devices', 'common']);
  const [search] = useListSearch();
  const certificates = useCertificates(device.id, search);
  const revoke = useRevokeCertificate(device.id);
  const list = useListPage<DeviceCertificate>();
  const mayChange = useCan()('update-devices');
  const isOn = device.radius.radsec_port !== null || device.syslog.tls_port !== null;
  const total = certificates.data?.meta.total;
  // While neither service over TLS is on, only existing certificates are shown.
  if (!isOn && !total) return null;
  const issue = mayChange && isOn && <AddButton label={t('radsec.issue')} onClick={list.add} />;
  const columns: Column<DeviceCertificate>[] = [
    { key: 'name', label: t('name'), cell: row => row.name },
    { key: 'state', label: t('status'), nowrap: true, cell: row => <State of={row} />, onPhone: true },
    { key: 'issued', label: t('radsec.issuedAt'), nowrap: true, from: 'md', cell: row => formatDate(row.issued_at) },
    {
      key: 'expires',
      label: t('radsec.expiresAt'),
      nowrap: true,
      cell: row => formatDate(row.expires_at),
      onPhone: 'labelled',
    },
    {
      key: 'seen',
      onPhone: 'labelled',
      label: t('lastSeen'),
      nowrap: true,
      cell: row => (row.last_seen_at ? <RelativeTime time={row.last_seen_at} /> : t('never')),
    },
    {
      key: 'fingerprint',
      label: t('radsec.fingerprint'),
      nowrap: true,
      from: 'lg',
      cell: row => (
        <code className={classes.fingerprint} title={`${row.fingerprint}\n${t('radsec.serial')}: ${row.serial}`}>
          {row.fingerprint.slice(0, 17)}…
        </code>
      ),
    },
  ];
  return (
    <section className={classes.list}>
      <div className={classes.listHead}>
        <p>{t('radsec.listHelp')}</p>
        {total ? issue : null}
      </div>
      <ListTable
        list={list}
        label={t('radsec.certificates')}
        query={certificates}
        columns={columns}
        rowKey={row => row.id}
        rowName={row => row.name}
        rowActions={
          mayChange &&
          (row => [row.state === 'valid' && list.deleteAction(row, { label: t('radsec.revoke'), icon: IconBan })])
        }
        empty={{ drawing: 'closed', title: t('radsec.emptyTitle'), text: t('radsec.emptyText'), action: issue }}
        form={(_, close) => <CertificateForm device={device} onClose={close} />}
        deletion={(row, close) => (
          <Confirm
            opened
            title={t('radsec.revokeAsk', { name: row.name })}
            text={t('radsec.revokeText')}
            confirm={t('radsec.revoke')}
            cancel={t('common:cancel')}
            danger
            pending={revoke.isPending}
            onConfirm={() => revoke.mutate(row, { onSuccess: close })}
            onClose={close}
          />
        )}
      />
    </section>
  );
}
