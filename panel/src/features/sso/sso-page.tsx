import { useSso, useSsoChoices } from '#features/sso/sso.api.ts';
import { SsoForm } from '#features/sso/sso-form.tsx';
import { SettingsHeader } from '#features/tenants/public.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';

/** The identity provider of the tenant. */
export function SsoPage() {
  const query = useSso();
  const choices = useSsoChoices();
  const error = query.data ? choices.error : query.error;
  const settings = query.data?.data;
  return (
    <>
      <SettingsHeader />
      {error ? (
        <LoadError error={error} onRetry={() => void query.refetch()} />
      ) : settings && choices.ready ? (
        <SsoForm settings={settings} choices={choices} />
      ) : (
        <FormSkeleton fields={7} />
      )}
    </>
  );
}
