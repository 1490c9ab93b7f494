import { useTranslation } from 'react-i18next';
import { formatDate } from '#lib/format.ts';
import { StatusDot } from '#ui/status-dot.tsx';

export interface Licence {
  is_trial: boolean;
  trial_remain: number;
  license_remain: number;
  license_end_at: string | null;
  /** By whose clocks its last day is meant. */
  time_zone: string;
  /** Of locations: the service was stopped by hand. */
  suspended_at?: string | null;
}

/** How a licence stands, in words: the rules of document 1, section 4. Resellers' hosts do not name the date. */
export function LicenceState({ of, withDate = true }: { of: Licence; withDate?: boolean }) {
  const { t } = useTranslation();
  if (of.suspended_at) return <StatusDot tone="bad">{t('licence.suspended')}</StatusDot>;
  if (of.is_trial)
    return of.trial_remain > 0 ? (
      <StatusDot tone="warn">{t('licence.demoLeft', { count: of.trial_remain })}</StatusDot>
    ) : (
      <StatusDot tone="bad">{t('licence.demoOver')}</StatusDot>
    );
  const date = withDate && of.license_end_at ? formatDate(of.license_end_at, of.time_zone) : undefined;
  const running = of.license_remain > 0;
  return (
    <StatusDot tone={running ? 'good' : 'bad'}>
      {date
        ? t(running ? 'licence.until' : 'licence.endedOn', { date })
        : t(running ? 'licence.active' : 'licence.ended')}
    </StatusDot>
  );
}
