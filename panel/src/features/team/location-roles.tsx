import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RolesTable } from '#features/team/roles-table.tsx';
import classes from '#features/team/team.module.css';
import { useOwnPermissions } from '#features/team/use-own-permissions.ts';
import { useCan } from '#lib/permissions.ts';

/** The roles of a location, below those who have them. */
export function LocationRoles({ locationId }: { locationId: string }) {
  const { t } = useTranslation('team');
  const mayChange = useCan()('update-location');
  const own = useOwnPermissions(locationId);
  const [creating, setCreating] = useState(false);
  return (
    <section className={classes.section} aria-labelledby="team-roles">
      <div className={classes.bar}>
        <div>
          <h2 id="team-roles">{t('roles.title')}</h2>
          <p>{t('roles.help')}</p>
        </div>
        {mayChange && (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
            {t('roles.add')}
          </Button>
        )}
      </div>
      <RolesTable
        at={locationId}
        own={own}
        mayChange={mayChange}
        creating={creating}
        onCreated={() => setCreating(false)}
      />
    </section>
  );
}
