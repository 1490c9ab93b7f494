import { useTranslation } from 'react-i18next';
import { PageHeader } from '#ui/page-header.tsx';

export function AccountHeader() {
  const { t } = useTranslation('account');
  return (
    <PageHeader
      title={t('title')}
      tabs={[
        { to: '/account/settings', label: t('settings') },
        { to: '/account/security', label: t('security') },
        { to: '/account/notifications', label: t('notificationsTab') },
        { to: '/account/tokens', label: t('tokensTab') },
      ]}
    />
  );
}
