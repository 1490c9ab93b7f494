import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCounts } from '#features/sessions/sessions.api.ts';
import classes from '#features/sessions/sessions.module.css';
import { formatNumber } from '#lib/format.ts';
import { useCan } from '#lib/permissions.ts';

/** The figures above the online list. */
export function Counts() {
  const { t } = useTranslation('sessions');
  const can = useCan();
  const { devices, devicesUp, visitors, failed } = useCounts();
  return (
    <ul className={classes.counts}>
      {can('view-devices') && (
        <Count label={t('counts.devices')} to="/devices" value={devicesUp}>
          {devices !== undefined && t('counts.of', { total: formatNumber(devices) })}
        </Count>
      )}
      {can('view-clients') && <Count label={t('counts.visitors')} to="/visitors" value={visitors} />}
      <Count label={t('counts.failed')} value={failed}>
        {t('counts.week')}
      </Count>
    </ul>
  );
}

function Count({
  label,
  value,
  to,
  children,
}: {
  label: string;
  value: number | undefined;
  to?: string;
  children?: ReactNode;
}) {
  const content = (
    <>
      <span>{label}</span>
      <strong>
        {value === undefined ? '–' : formatNumber(value)}
        {children && <small> {children}</small>}
      </strong>
    </>
  );
  return <li>{to ? <Link to={to}>{content}</Link> : <div>{content}</div>}</li>;
}
