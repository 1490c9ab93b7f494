import { permissions } from '@portico/contract/permissions.ts';
import type { TeamRole } from '@portico/contract/roles.ts';
import { useTranslation } from 'react-i18next';
import { RolesTable } from '#features/team/roles-table.tsx';
import classes from '#features/team/team.module.css';
import { SettingsHeader } from '#features/tenants/public.ts';
import { api } from '#lib/api.ts';
import { useCan } from '#lib/permissions.ts';
import { useLive } from '#lib/use-live.ts';
import { AddButton, useListPage } from '#ui/list-page.tsx';

/** The roles that every location of the tenant can use. */
export function TenantRolesPage() {
  const { t } = useTranslation('team');
  const mayChange = useCan()('tenant-admin');
  const list = useListPage<TeamRole>();
  useLive('team', api.tenantRoles.list);
  return (
    <>
      <SettingsHeader />
      <div className={classes.bar}>
        <div>
          <h2>{t('roles.title')}</h2>
          <p>{t('roles.tenantHelp')}</p>
        </div>
        {mayChange && <AddButton label={t('roles.add')} onClick={list.add} />}
      </div>
      <RolesTable own={permissions} mayChange={mayChange} list={list} />
    </>
  );
}
