import type { roleForm, TeamRole } from '@portico/contract/roles.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { api } from '#lib/api.ts';
import { call, queryOf } from '#lib/client.ts';
import { useChange } from '#lib/queries.ts';

type Form = z.input<typeof roleForm>;
/** A location, or undefined for the whole tenant. */
type Place = string | undefined;

const refresh = [api.locationRoles.list, api.tenantRoles.list, api.team.list, api.team.invites];

const tenantQuery = () => queryOf(api.tenantRoles.list);
const locationQuery = (id: string) => queryOf(api.locationRoles.list, { params: { id } });

export const useRoles = (at: Place) =>
  useQuery((at === undefined ? tenantQuery() : locationQuery(at)) as ReturnType<typeof tenantQuery>);

/** Creates a role, or updates the given one. */
export function useSaveRole(at: Place, role: TeamRole | undefined) {
  const { t } = useTranslation('team');
  const send = (body: Form) => {
    if (at === undefined)
      return role
        ? call(api.tenantRoles.update, { params: { id: role.id }, body })
        : call(api.tenantRoles.create, { body });
    return role
      ? call(api.locationRoles.update, { params: { id: at, roleId: role.id }, body })
      : call(api.locationRoles.create, { params: { id: at }, body });
  };
  return useChange({ send, refresh, done: t(role ? 'roles.updated' : 'roles.created') });
}

export function useResetRole(at: Place) {
  const { t } = useTranslation('team');
  const send = ({ id }: TeamRole) =>
    at === undefined
      ? call(api.tenantRoles.reset, { params: { id } })
      : call(api.locationRoles.reset, { params: { id: at, roleId: id } });
  return useChange({ send, refresh, done: t('roles.wasReset') });
}

export function useDeleteRole(at: Place) {
  const { t } = useTranslation('team');
  const send = ({ id }: TeamRole) =>
    at === undefined
      ? call(api.tenantRoles.delete, { params: { id } })
      : call(api.locationRoles.delete, { params: { id: at, roleId: id } });
  return useChange({ send, refresh, done: t('roles.deleted') });
}
