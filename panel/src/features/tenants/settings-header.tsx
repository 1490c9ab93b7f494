import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '#lib/permissions.ts';
import { PageHeader } from '#ui/page-header.tsx';

interface Props {
  count?: number | undefined;
  children?: ReactNode;
}

/** The header and tabs of the tenant settings. Location managers see only the audit log. */
export function SettingsHeader({ count, children }: Props) {
  const { t } = useTranslation('tenants');
  if (!useCan()('read-tenant'))
    return (
      <PageHeader title={t('audit')} count={count}>
        {children}
      </PageHeader>
    );
  return (
    <PageHeader
      title={t('title')}
      tabs={[
        { to: '/settings', label: t('general') },
        { to: '/settings/users', label: t('users') },
        { to: '/settings/roles', label: t('roles') },
        { to: '/settings/domains', label: t('domains') },
        { to: '/settings/sso', label: t('sso') },
        { to: '/settings/radius-proxies', label: t('radiusProxies') },
        { to: '/settings/licences', label: t('licences') },
        { to: '/settings/audit', label: t('audit') },
      ]}
    >
      {children}
    </PageHeader>
  );
}
