import type { authApi, signedIn } from '@portico/contract/auth.ts';
import type { z } from 'zod';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { SecondFactorForm } from '#features/auth/second-factor-form.tsx';
import { useSecondTexts } from '#features/auth/use-second-texts.ts';
import { address, call } from '#lib/client.ts';

const login = address<typeof authApi.login>('POST', '/v1/user/login');

interface Props {
  credentials: { email: string; password: string };
  enter: (data: z.output<typeof signedIn>) => void;
  onBack: () => void;
}

/** The step after an accepted password: the account also requires a second factor. */
export function SecondStep({ credentials, enter, onBack }: Props) {
  const { t } = useSecondTexts();
  return (
    <AuthLayout title={t('title')} lead={t('lead')}>
      <SecondFactorForm
        submitLabel={t('auth:login.submit')}
        credentials={credentials}
        send={async factor => enter((await call(login, { body: { ...credentials, ...factor } })).data)}
        onBack={onBack}
      />
    </AuthLayout>
  );
}
