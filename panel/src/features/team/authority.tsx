import { type PermissionScopes, permissionKeys, permissions } from '@portico/contract/permissions.ts';
import { useTranslation } from 'react-i18next';
import { useRoles } from '#features/team/roles.api.ts';
import classes from '#features/team/team.module.css';
import { Tag } from '#ui/tag.tsx';

interface Props {
  locationId: string;
  roles: readonly { id: string; name: string }[];
  granted: PermissionScopes;
}

/** Role names joined by commas, with a mark if the permissions differ from the roles. */
export function Authority({ locationId, roles, granted }: Props) {
  const { t } = useTranslation('team');
  const all = useRoles(locationId).data?.data;
  const keys = permissionKeys(granted);
  if (roles.length === 0)
    return t(keys.length === permissions.length ? 'everything' : 'permissionCount', { count: keys.length });
  const ofRoles = new Set(
    all?.filter(role => roles.some(({ id }) => id === role.id)).flatMap(role => permissionKeys(role.permissions)),
  );
  const adjusted = all && (ofRoles.size !== keys.length || keys.some(key => !ofRoles.has(key)));
  return (
    <span className={classes.authority}>
      {roles.map(role => role.name).join(', ')}
      {adjusted && <Tag>{t('adjusted')}</Tag>}
    </span>
  );
}
