import { SettingsHeader } from '#features/tenants/settings-header.tsx';
import { TenantForm } from '#features/tenants/tenant-form.tsx';
import { useTenantSettings } from '#features/tenants/tenants.api.ts';
import { useCan } from '#lib/permissions.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { HeaderSave } from '#ui/header-save.tsx';
import { LoadError } from '#ui/load-error.tsx';

export function TenantPage() {
  const can = useCan();
  const query = useTenantSettings();
  const settings = query.data?.data;
  return (
    <>
      <SettingsHeader>{settings && can('tenant-admin') && <HeaderSave />}</SettingsHeader>
      {settings ? (
        <TenantForm settings={settings} />
      ) : query.error ? (
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <FormSkeleton fields={7} />
      )}
    </>
  );
}
