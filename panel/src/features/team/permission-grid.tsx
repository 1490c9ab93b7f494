import { Checkbox } from '@mantine/core';
import { type Permission, permissions, type Scope, scopes } from '@portico/contract/permissions.ts';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { togglePermission } from '#features/team/grant.ts';
import classes from '#features/team/team.module.css';

const verbs = ['view', 'store', 'update', 'delete'] as const;
const rows = Object.keys(scopes) as Scope[];

interface Props {
  held: readonly Permission[];
  own: readonly string[];
  /** Permissions that cannot be switched off. */
  fixed?: readonly Permission[];
  onChange: (held: Permission[]) => void;
  error?: ReactNode;
}

/** A grid of scopes and verbs. */
export function PermissionGrid({ held, own, fixed = [], onChange, error }: Props) {
  const { t } = useTranslation('team');
  const errorId = useId();
  const keysOf = (scope: Scope) => permissions.filter(key => key.endsWith(`-${scope}`));
  const toggleRow = (scope: Scope, on: boolean) =>
    onChange(
      keysOf(scope)
        .filter(key => !on || own.includes(key))
        .reduce<Permission[]>((next, key) => togglePermission(next, key, on), [...held]),
    );
  return (
    <div>
      <table className={classes.grid} aria-describedby={error ? errorId : undefined}>
        <caption className="visually-hidden">{t('permissions')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('scopeLabel')}</th>
            {verbs.map(verb => (
              <th key={verb} scope="col">
                {t(`verb.${verb}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(scope => {
            const keys = keysOf(scope);
            const count = keys.filter(key => held.includes(key)).length;
            return (
              <tr key={scope}>
                <th scope="row">
                  <Checkbox
                    size="xs"
                    label={t(`scope.${scope}`)}
                    checked={count === keys.length}
                    indeterminate={count > 0 && count < keys.length}
                    disabled={!keys.some(key => own.includes(key) && !fixed.includes(key))}
                    onChange={event => toggleRow(scope, event.currentTarget.checked)}
                  />
                </th>
                {verbs.map(verb => {
                  const key = `${verb}-${scope}` as Permission;
                  return (
                    <td key={verb}>
                      {permissions.includes(key) && (
                        <Checkbox
                          size="xs"
                          aria-label={`${t(`scope.${scope}`)}: ${t(`verb.${verb}`)}`}
                          checked={held.includes(key)}
                          disabled={!own.includes(key) || fixed.includes(key)}
                          onChange={event => onChange(togglePermission(held, key, event.currentTarget.checked))}
                        />
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
      {error && (
        <p id={errorId} className={classes.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
