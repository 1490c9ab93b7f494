import type { SsoMapping } from '@portico/contract/sso.ts';
import type { WantedMembership } from '#features/team/public.ts';
import { type Claims, claimEmail, claimText } from '#lib/openid.ts';

/** A person as the identity provider describes them. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider checked that the address is the person's. */
  readonly emailVerified: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
}

const yes = (value: unknown): boolean => [true, 'true', 1, '1'].includes(value as string);

const google = 'https://accounts.google.com';

/** A claim by its name, or by a path of names into objects. */
function claimAt(claims: Record<string, unknown>, path: string): unknown {
  if (path in claims) return claims[path];
  return path
    .split('.')
    .reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      claims,
    );
}

/** Entra ID leaves out the groups of people who are in more than 200, and says so. Nothing is known about their rights then. */
const leftOut = (claims: Claims, path: string): boolean => {
  const names = claims['_claim_names'];
  return typeof names === 'object' && names !== null && path in names;
};

/** The groups of a person; undefined if the provider left them out. */
export function groupsOf(claims: Claims, path: string): string[] | undefined {
  if (leftOut(claims, path)) return undefined;
  const value = claimAt(claims, path);
  const list = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
  return list.filter((it): it is string => typeof it === 'string');
}

export function personOf(claims: Claims, groups: readonly string[]): Person {
  const email = claimEmail(claims);
  const [first = '', ...rest] = (claimText(claims['name'], 120) ?? email ?? 'SSO').split(' ');
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    // Entra ID has no email_verified. Its claim xms_edov says that the owner of the domain was checked.
    emailVerified: email !== null && (yes(claims['email_verified']) || yes(claims['xms_edov'])),
    firstName: claimText(claims['given_name'], 120) ?? first,
    lastName: claimText(claims['family_name'], 120) ?? (claims['given_name'] ? '' : rest.join(' ')),
    groups,
  };
}

/**
 * The domain that decides whether a person may sign in. At Google that is the organisation (`hd`): a private account may
 * have a verified address of a company that its owner has left.
 */
export function domainOf(claims: Claims, email: string | null): string | undefined {
  if (claims.iss === google) return claimText(claims['hd'], 253)?.toLowerCase();
  return email?.split('@').at(-1);
}

export interface WantedRights {
  readonly role: SsoMapping['role'];
  readonly memberships: readonly WantedMembership[];
}

const ranks: readonly SsoMapping['role'][] = ['tenant-admin', 'reseller', 'auditor'];

/** The rights that groups give: the highest role of the tenant, else the roles at locations. */
export function rightsOf(mappings: readonly SsoMapping[], groups: readonly string[]): WantedRights | undefined {
  const own = mappings.filter(it => it.group === '*' || groups.includes(it.group));
  const role = ranks.find(rank => own.some(it => it.role === rank));
  // An account with a role of the tenant is no member of locations.
  if (role) return { role, memberships: [] };
  const byLocation = new Map<string, string[]>();
  for (const { location_id: location, role_id: id } of own)
    if (location && id) byLocation.set(location, [...(byLocation.get(location) ?? []), id]);
  if (byLocation.size === 0) return undefined;
  return { role: 'member', memberships: [...byLocation].map(([locationId, roleIds]) => ({ locationId, roleIds })) };
}
