import { MultiSelect, Switch } from '@mantine/core';
import { permissionKeys } from '@portico/contract/permissions.ts';
import { useTranslation } from 'react-i18next';
import { type GrantValues, type Role, sameKeys, withBasicStats } from '#features/team/grant.ts';
import { PermissionGrid } from '#features/team/permission-grid.tsx';
import classes from '#features/team/team.module.css';
import { useGrantSentence } from '#features/team/use-grant-sentence.ts';
import { useChoices } from '#lib/choices.ts';
import { choices } from '#ui/choices.ts';

interface Props {
  locationId: string;
  roles: readonly Role[];
  /** The user's own permissions, beyond which nothing can be granted. */
  own: readonly string[];
  values: GrantValues;
  errors: Record<string, React.ReactNode>;
  onChange: (values: Partial<GrantValues>) => void;
  /** Viewing the basic statistics is always granted. */
  basicStats?: boolean;
}

/** The role, permissions and devices of an administrator. */
export function GrantFields({ locationId, roles, own, values, errors, onChange, basicStats = false }: Props) {
  const { t } = useTranslation('team');
  const sentence = useGrantSentence();
  const { devices } = useChoices(locationId);
  const chosen = roles.find(role => values.roleIds.includes(role.id));
  const keysOf = (role: Role) => {
    const keys = permissionKeys(role.permissions);
    return basicStats ? withBasicStats(keys, own) : keys;
  };
  const adjusted = chosen && !sameKeys(keysOf(chosen), values.permissions);
  return (
    <>
      <fieldset className={classes.roles}>
        <legend>{t('role')}</legend>
        {roles.map(role => {
          const keys = keysOf(role);
          return (
            <button
              key={role.id}
              type="button"
              aria-pressed={role === chosen}
              disabled={keys.some(key => !own.includes(key))}
              onClick={() => onChange({ roleIds: [role.id], permissions: keys })}
            >
              {role.name}
            </button>
          );
        })}
        <button type="button" aria-pressed={!chosen} onClick={() => onChange({ roleIds: [] })}>
          {t('noRole')}
        </button>
        <p role="status">
          <strong>{sentence(values.permissions)}</strong>{' '}
          {adjusted ? t('adjustedHelp', { role: chosen.name }) : t('roleHelp')}
        </p>
      </fieldset>
      <PermissionGrid
        held={values.permissions}
        own={own}
        onChange={permissions => onChange({ permissions: basicStats ? withBasicStats(permissions, own) : permissions })}
        fixed={basicStats ? ['view-basic-stats'] : []}
        error={errors.permissions}
      />
      <div className={classes.limit}>
        <Switch
          label={t('limit')}
          description={t('limitHelp')}
          checked={values.deviceIds !== null}
          onChange={event => onChange({ deviceIds: event.currentTarget.checked ? [] : null })}
        />
        {values.deviceIds !== null && (
          <MultiSelect
            aria-label={t('devices')}
            placeholder={values.deviceIds.length === 0 ? t('chooseDevices') : ''}
            data={choices(devices)}
            searchable
            hidePickedOptions
            nothingFoundMessage={t('noDevices')}
            value={values.deviceIds}
            onChange={deviceIds => onChange({ deviceIds })}
            error={errors.deviceIds}
          />
        )}
      </div>
    </>
  );
}
