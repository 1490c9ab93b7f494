import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OnboardingTitle } from '#features/onboarding/onboarding-title.tsx';
import { useUser } from '#lib/user.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { NoPermission } from '#ui/no-permission.tsx';

/** These screens have no menu, so that the refusal brings the way out. */
export function Refused() {
  const { t } = useTranslation('onboarding');
  return (
    <NoPermission screen>
      <Button renderRoot={props => <Link to="/" {...props} />}>{t('toPanel')}</Button>
    </NoPermission>
  );
}

/** For users without an active location, or without any location. Auditors cannot set up anything. */
export function NoLocation() {
  const { t } = useTranslation('onboarding');
  const { can_create_location, role } = useUser();
  if (role === 'auditor') return <Refused />;
  return (
    <>
      <OnboardingTitle title={t('title')} />
      <EmptyState
        drawing="venue"
        title={t(can_create_location ? 'noLocation.choose' : 'noLocation.none')}
        text={t(can_create_location ? 'noLocation.chooseText' : 'noLocation.noneText')}
      >
        {can_create_location && (
          <Button renderRoot={props => <Link to="/admin" {...props} />}>{t('noLocation.button')}</Button>
        )}
      </EmptyState>
    </>
  );
}

/** Members without the permission see it too, until the location is set up. */
export function NotAllowed() {
  const { t } = useTranslation('onboarding');
  const { role, total_devices, total_portals } = useUser();
  if (role === 'auditor' || total_devices || total_portals) return <Refused />;
  return (
    <>
      <OnboardingTitle title={t('title')} />
      <EmptyState drawing="router" title={t('notAllowed.title')} text={t('notAllowed.text')} />
    </>
  );
}
