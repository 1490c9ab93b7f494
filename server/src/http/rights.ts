import type { Actor } from './actor.ts';

/** The rights of a caller at a time; those of a member in the team in which it worked. */
export interface Rights {
  readonly role: Actor['role'];
  readonly team?: {
    readonly locationId: string;
    readonly permissions: readonly string[];
    readonly deviceIds: readonly string[] | null;
  };
  /** A customer of this reseller was handed over since. */
  readonly withheld?: boolean;
}

export function rightsOf({ role, activeLocationId, memberships }: Actor): Rights {
  const team = memberships.find(it => it.locationId === activeLocationId);
  return role === 'member' && team ? { role, team: { ...team, permissions: [...team.permissions] } } : { role };
}

/** Whether a caller still has all the rights that it had. */
export function stillHas(actor: Actor, { role, team, withheld }: Rights): boolean {
  if (actor.role === 'tenant-admin') return true;
  if (withheld || actor.role !== role) return false;
  if (!team) return true;
  const now = actor.memberships.find(it => it.locationId === team.locationId);
  return (
    now !== undefined &&
    team.permissions.every(it => now.permissions.has(it)) &&
    (now.deviceIds === null || team.deviceIds?.every(it => now.deviceIds!.includes(it)) === true)
  );
}
