import { AuthLayout } from '#features/auth/auth-layout.tsx';
import { type GivenFactor, SecondFactorForm } from '#features/auth/second-factor-form.tsx';
import { useSecondTexts } from '#features/auth/use-second-texts.ts';

interface Props {
  credentials: { email: string; password: string };
  send: (factor: GivenFactor) => Promise<unknown>;
  onBack: () => void;
}

/** The step after an accepted password: the account also requires a second factor. */
export function SecondStep({ credentials, send, onBack }: Props) {
  const { t } = useSecondTexts();
  return (
    <AuthLayout title={t('title')} lead={t('lead')}>
      <SecondFactorForm submitLabel={t('auth:login.submit')} credentials={credentials} send={send} onBack={onBack} />
    </AuthLayout>
  );
}
