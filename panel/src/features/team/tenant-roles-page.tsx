import { Button } from '@mantine/core';
import { permissions } from '@portico/contract/permissions.ts';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RolesTable } from '#features/team/roles-table.tsx';
import classes from '#features/team/team.module.css';
import { SettingsHeader } from '#features/tenants/public.ts';
import { api } from '#lib/api.ts';
import { useCan } from '#lib/permissions.ts';
import { useLive } from '#lib/use-live.ts';

/** The roles that every location of the tenant is offered. */
export function TenantRolesPage() {
  const { t } = useTranslation('team');
  const mayChange = useCan()('tenant-admin');
  const [creating, setCreating] = useState(false);
  useLive('team', api.tenantRoles.list);
  return (
    <>
      <SettingsHeader />
      <div className={classes.bar}>
        <div>
          <h2>{t('roles.title')}</h2>
          <p>{t('roles.tenantHelp')}</p>
        </div>
        {mayChange && (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
            {t('roles.add')}
          </Button>
        )}
      </div>
      <RolesTable own={permissions} mayChange={mayChange} creating={creating} onCreated={() => setCreating(false)} />
    </>
  );
}
