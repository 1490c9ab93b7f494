import type { Location } from '@portico/contract/locations.ts';

/** The session settings among the fields of a location. */
export const sessionFields = [
  'time_limit',
  'time_limit_unit',
  'time_limit_enabled',
  'daily_bandwidth',
  'daily_bandwidth_unit',
  'daily_bandwidth_enabled',
  'download_limit',
  'download_limit_enabled',
  'upload_limit',
  'upload_limit_enabled',
  'mac_whitelist',
  'mac_whitelist_enabled',
  'mac_blacklist',
  'mac_blacklist_enabled',
] as const;
export type SessionField = (typeof sessionFields)[number];
export type SessionSettings = Pick<Location, SessionField>;
