import { Button } from '@mantine/core';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { useAuthTexts } from '#features/auth/use-auth-texts.ts';
import { goTo } from '#lib/public-navigation.ts';
import { tenant } from '#lib/tenant.ts';

export function CompletePage() {
  const { t } = useAuthTexts();
  return (
    <AuthLayout title={t('complete.title')} lead={t('complete.lead', { name: tenant().brand.name })}>
      <Button fullWidth onClick={() => goTo('/auth/login')} autoFocus>
        {t('complete.login')}
      </Button>
    </AuthLayout>
  );
}
