import type { authApi, signedIn } from '@portico/contract/auth.ts';
import type { z } from 'zod';
import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { SecondFactorForm } from '#features/auth/second-factor-form.tsx';
import { useSecondTexts } from '#features/auth/use-second-texts.ts';
import { address, call } from '#lib/client.ts';

const login = address<typeof authApi.login>('POST', '/v1/user/login');

interface Props {
  credentials: { email: string; password: string };
  factors: object;
  enter: (data: z.output<typeof signedIn>) => void;
  onBack: () => void;
}

const leadOf = (factors: object) => (!('code' in factors) ? 'leadPasskey' : 'passkey' in factors ? 'lead' : 'leadCode');

/** The step after an accepted password: the account also requires a second factor. */
export function SecondStep({ credentials, factors, enter, onBack }: Props) {
  const { t } = useSecondTexts();
  return (
    <AuthLayout title={t('title')} lead={t(leadOf(factors))}>
      <SecondFactorForm
        submitLabel={t('auth:login.submit')}
        credentials={credentials}
        factors={factors}
        send={async factor => enter((await call(login, { body: { ...credentials, ...factor } })).data)}
        onBack={onBack}
      />
    </AuthLayout>
  );
}
