import { useTranslation } from 'react-i18next';
import { formatDate } from '#lib/format.ts';
import { showsLicences } from '#lib/tenant.ts';
import { StatusDot } from '#ui/status-dot.tsx';

export interface Licence {
  is_trial: boolean;
  trial_remain: number;
  license_remain: number;
  license_end_at: string | null;
  /** The time zone of its last day. */
  time_zone: string;
  /** For locations: an operator suspended the service. */
  suspended_at?: string | null;
}

/** The state of a licence as text, by the rules of document 1, section 4. Reseller hosts show no date. */
export function LicenceState({ of }: { of: Licence }) {
  const { t } = useTranslation('licence-state');
  if (of.suspended_at) return <StatusDot tone="bad">{t('suspended')}</StatusDot>;
  if (of.is_trial)
    return of.trial_remain > 0 ? (
      <StatusDot tone="warn">{t('demoLeft', { count: of.trial_remain })}</StatusDot>
    ) : (
      <StatusDot tone="bad">{t('demoOver')}</StatusDot>
    );
  const date = showsLicences() && of.license_end_at ? formatDate(of.license_end_at, of.time_zone) : undefined;
  const running = of.license_remain > 0;
  return (
    <StatusDot tone={running ? 'good' : 'bad'}>
      {date ? t(running ? 'until' : 'endedOn', { date }) : t(running ? 'active' : 'ended')}
    </StatusDot>
  );
}
