import { Button } from '@mantine/core';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { goTo } from '#lib/public-navigation.ts';
import { tenant } from '#lib/tenant.ts';

/** The last screen of registration and of a password reset. */
export function CompletePage() {
  const { t } = useAuthTexts();
  const afterReset = (history.state as { after?: string } | null)?.after === 'reset';
  return (
    <AuthLayout
      title={t(afterReset ? 'reset.doneTitle' : 'complete.title')}
      lead={afterReset ? t('reset.doneLead') : t('complete.lead', { name: tenant().brand.name })}
    >
      <Button fullWidth onClick={() => goTo('/auth/login')} autoFocus>
        {t('complete.login')}
      </Button>
    </AuthLayout>
  );
}
