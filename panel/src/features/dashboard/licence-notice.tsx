import { useTranslation } from 'react-i18next';
import { useHere } from '#features/dashboard/dashboard.api.ts';
import { useCan } from '#lib/permissions.ts';
import { showsLicences } from '#lib/tenant.ts';
import { LicenceLink } from '#ui/licence-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { SuspendedNotice } from '#ui/suspended-notice.tsx';

/** From when on the end is announced. */
const soonDays = 7;

/** The service of the active location has stopped, or stops within a week. */
export function LicenceNotice() {
  const { t } = useTranslation('dashboard');
  const can = useCan();
  const { data } = useHere();
  if (!data) return null;
  const { is_trial, trial_remain, license_remain, suspended_at, name } = data.data;
  if (suspended_at) return <SuspendedNotice title={t('licence.suspended', { name })} location={data.data} />;
  const days = is_trial ? trial_remain : license_remain;
  if (days > soonDays) return null;
  if (!is_trial && days > 0 && !showsLicences()) return null;
  const mayGive = can('create-location') && showsLicences();
  const give = mayGive ? { to: '/admin', search: { customer: data.data.id, tab: 'settings-license' } } : undefined;
  const what = is_trial ? 'demo' : 'licence';
  return days > 0 ? (
    <Notice tone="warn" title={t(`licence.${what}Ends`, { count: days, name })} action={<LicenceLink give={give} />}>
      {t('licence.endsText')}
    </Notice>
  ) : (
    <Notice tone="bad" title={t(`licence.${what}Over`, { name })} action={<LicenceLink give={give} />}>
      {t('licence.overText')}
    </Notice>
  );
}
