import { useTranslation } from 'react-i18next';
import { SecuritySettings } from '#features/account/public.ts';
import { PageHeader } from '#ui/page-header.tsx';

/** New users can protect their account before the setup is complete. Until then, the panel's other screens lead to the setup. */
export function SecurityPage() {
  const { t } = useTranslation(['shell', 'common']);
  return (
    <>
      <PageHeader title={t('accountSecurity')} parent={{ to: '/', label: t('common:back') }} />
      <SecuritySettings />
    </>
  );
}
