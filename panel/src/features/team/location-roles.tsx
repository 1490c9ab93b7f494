import type { TeamRole } from '@portico/contract/roles.ts';
import { useTranslation } from 'react-i18next';
import { RolesTable } from '#features/team/roles-table.tsx';
import classes from '#features/team/team.module.css';
import { useOwnPermissions } from '#features/team/use-own-permissions.ts';
import { useCan } from '#lib/permissions.ts';
import { AddButton, useListPage } from '#ui/list-page.tsx';

/** The roles of a location, below its administrators. */
export function LocationRoles({ locationId }: { locationId: string }) {
  const { t } = useTranslation('team');
  const mayChange = useCan()('update-location');
  const own = useOwnPermissions(locationId);
  const list = useListPage<TeamRole>();
  return (
    <section className={classes.section} aria-labelledby="team-roles">
      <div className={classes.bar}>
        <div>
          <h2 id="team-roles">{t('roles.title')}</h2>
          <p>{t('roles.help')}</p>
        </div>
        {mayChange && <AddButton label={t('roles.add')} variant="default" onClick={list.add} />}
      </div>
      <RolesTable at={locationId} own={own} mayChange={mayChange} list={list} />
    </section>
  );
}
