import type { Language } from '@portico/contract/errors.ts';
import {
  changedPermissions,
  type Permission,
  type PermissionsChange,
  permissionScopes,
} from '@portico/contract/permissions.ts';
import type { TeamRole } from '@portico/contract/roles.ts';
import { roleName } from '@portico/contract/team.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { builtInRoles } from '#features/tenants/public.ts';
import { type Actor, permissionsIn } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import * as queries from './roles.queries.ts';

/** Where a role is looked at: a location, or (null) the whole tenant. */
export type Place = string | null;
type Form = { name: string; permissions: readonly string[] };
type Change = { name?: string | undefined; permissions?: PermissionsChange | undefined };

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every(key => b.includes(key));

/** The permissions that a reset restores; undefined for a role without standard permissions. */
function standardOf(row: queries.RoleRow, at: Place): readonly string[] | undefined {
  if (at !== null) return row.location_id === null ? row.standard : undefined;
  return row.built_in ? builtInRoles[row.built_in].permissions : undefined;
}

const isOwn = (row: queries.RoleRow, at: Place): boolean => row.location_id === at && !row.built_in;

export function describeRole(row: queries.RoleRow, at: Place, language: Language): TeamRole {
  const standard = standardOf(row, at);
  return {
    id: row.id,
    name: row.built_in ? roleName(row.name, language) : row.name,
    guard_name: row.guard_name,
    kind: row.built_in ? 'ready' : row.location_id ? 'location' : 'tenant',
    permissions: permissionScopes(row.permissions),
    adjusted: standard !== undefined && !same(standard, row.permissions),
    members: row.members,
  };
}

/** A name must differ from the other roles that are offered with it, in both languages. */
async function checkName(tx: Tx, at: Place, name: string, id: string | null): Promise<void> {
  const said = name.toLowerCase();
  const taken = (await queries.listRoles(tx, at)).some(
    row => row.id !== id && [row.name, roleName(row.name, 'tr')].some(each => each.toLowerCase() === said),
  );
  if (taken) throw invalid({ name: 'taken' });
}

/** Editors add only permissions that they hold, because others with more rights may use the role later. */
function checkHeld(actor: Actor, at: Place, permissions: readonly string[], before: readonly string[] = []): void {
  const own = permissionsIn(actor, at ?? undefined);
  if (!permissions.every(key => own.has(key) || before.includes(key))) throw invalid({ permissions: 'beyond_own' });
}

const auditRole = (
  tx: Tx,
  actor: Actor,
  at: Place,
  it: { verb: 'create' | 'update' | 'delete'; role: queries.RoleRow; before?: object; after?: object },
) =>
  audit(tx, actor, {
    verb: it.verb,
    subject: { type: 'role', id: it.role.id, name: it.role.name },
    locationId: at,
    before: it.before,
    after: it.after,
  });
const facts = ({ name, permissions }: queries.RoleRow) => ({ name, permissions });

export async function createRole(tx: Tx, actor: Actor, at: Place, form: Form): Promise<queries.RoleRow> {
  await queries.lockRoles(tx);
  await checkName(tx, at, form.name, null);
  checkHeld(actor, at, form.permissions);
  const id = newId();
  await queries.insertRole(tx, { id, locationId: at, ...form });
  const role = found(await queries.findRole(tx, at, id));
  await auditRole(tx, actor, at, { verb: 'create', role, after: facts(role) });
  return role;
}

/** Sets what a role stands for at a place: a location that adjusts a role of the tenant leaves the others' alone. */
async function write(tx: Tx, at: Place, row: queries.RoleRow, it: Form): Promise<void> {
  if (at === null || row.location_id !== null) await queries.updateRole(tx, row.id, it);
  else if (same(row.standard, it.permissions)) await queries.dropAdjustment(tx, at, row.id);
  else await queries.adjustRole(tx, at, row.id, it.permissions);
}

export async function updateRole(tx: Tx, actor: Actor, at: Place, id: string, form: Change): Promise<queries.RoleRow> {
  await queries.lockRoles(tx);
  const before = found(await queries.findRole(tx, at, id));
  const permissions = form.permissions ? changedPermissions(before.permissions, form.permissions) : before.permissions;
  const renamed = form.name !== undefined && form.name !== before.name && form.name !== roleName(before.name, 'tr');
  if (renamed && !isOwn(before, at)) throw invalid({ name: 'role_name' });
  if (renamed) await checkName(tx, at, form.name!, id);
  checkHeld(actor, at, permissions, before.permissions);
  await write(tx, at, before, { name: renamed ? form.name! : before.name, permissions });
  const role = found(await queries.findRole(tx, at, id));
  await auditRole(tx, actor, at, { verb: 'update', role, before: facts(before), after: facts(role) });
  return role;
}

export async function resetRole(tx: Tx, actor: Actor, at: Place, id: string): Promise<queries.RoleRow> {
  const role = found(await queries.findRole(tx, at, id));
  const standard = standardOf(role, at);
  if (!standard) throw new AppError('role_own');
  return updateRole(tx, actor, at, id, { permissions: { keys: standard as readonly Permission[], scopes: null } });
}

export async function deleteRole(tx: Tx, actor: Actor, at: Place, id: string): Promise<void> {
  const role = found(await queries.findRole(tx, at, id));
  if (!isOwn(role, at)) throw new AppError('role_kept');
  foundAgain(await queries.deleteRole(tx, id));
  await auditRole(tx, actor, at, { verb: 'delete', role, before: facts(role) });
}
