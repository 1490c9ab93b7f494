import { sqlState } from '#db/errors.ts';

/** The unique indexes of values that callers choose, each with the field that has the value. */
export const fieldOf: Readonly<Record<string, string>> = {
  devices_mac: 'mac_address',
  invitations_open: 'email',
  radius_proxies_address: 'address',
  roles_name: 'name',
  saved_views_name: 'name',
  users_email: 'email',
  visitors_citizen: 'provider_id',
  visitors_username: 'username',
  ...Object.fromEntries(
    ['devices', 'locations', 'portals', 'profiles'].map(table => [`${table}_external`, 'external_id']),
  ),
};

/**
 * The field of a body whose value another request took after this one had checked it; undefined if the database refused
 * something else. So the answer does not depend on which of two requests was faster.
 */
export function takenField(error: unknown, body: unknown): string | undefined {
  if (sqlState(error) !== '23505') return undefined;
  const field = fieldOf[(error as { constraint?: string }).constraint ?? ''];
  return field !== undefined && typeof body === 'object' && body !== null && field in body ? field : undefined;
}
