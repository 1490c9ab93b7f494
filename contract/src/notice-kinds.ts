import type { NoticeKind } from './notifications.ts';
import type { Permission } from './permissions.ts';

// How people are notified. Without zod, so that a screen can use it without the schemas.

/** In the panel only; also in the user's browsers; also by mail at once; also in the daily mail; not at all. */
export const noticeWays = ['bell', 'push', 'mail', 'digest', 'off'] as const;
export type NoticeWay = (typeof noticeWays)[number];

/** An invitation waits for an answer, so it always appears. */
export type ChosenKind = Exclude<NoticeKind, 'invitation_received'>;

interface Rule {
  /** The default for a user who has not chosen. */
  readonly way: NoticeWay;
  /** The users who can receive it; default: all who manage a location, and its members with `permission`. */
  readonly for?: 'tenant-admin' | 'not-members';
  /** The permission that a member of the location needs to receive it. */
  readonly permission?: Permission;
  /** It concerns the tenant, not a location. */
  readonly ofTenant?: true;
}

export const noticeRules: Readonly<Record<ChosenKind, Rule>> = {
  device_offline: { way: 'bell', permission: 'view-devices' },
  device_online: { way: 'bell', permission: 'view-devices' },
  commands_waiting: { way: 'bell', permission: 'view-devices' },
  failed_sign_ins: { way: 'bell', permission: 'view-basic-stats' },
  certificate_ending: { way: 'bell', permission: 'update-devices' },
  login_host_refused: { way: 'bell', permission: 'update-devices' },
  controller_failing: { way: 'bell', permission: 'update-devices' },
  controller_recovered: { way: 'bell', permission: 'update-devices' },
  license_ending: { way: 'mail', permission: 'update-location' },
  license_over: { way: 'mail', permission: 'update-location' },
  license_requested: { way: 'mail', for: 'not-members' },
  location_suspended: { way: 'bell', permission: 'update-location' },
  location_resumed: { way: 'bell', permission: 'update-location' },
  customer_given: { way: 'bell', for: 'not-members' },
  invitation_accepted: { way: 'mail', permission: 'update-location' },
  invitation_denied: { way: 'bell', permission: 'update-location' },
  integration_failing: { way: 'bell', permission: 'update-integrations' },
  integration_recovered: { way: 'bell', permission: 'update-integrations' },
  webhooks_left: { way: 'mail', permission: 'view-integrations' },
  sms_limit: { way: 'bell', permission: 'update-location' },
  log_chain_broken: { way: 'bell', for: 'tenant-admin' },
  log_silence: { way: 'bell', permission: 'view-devices' },
  log_lines_quarantined: { way: 'bell', permission: 'update-devices' },
  mail_limit: { way: 'bell', for: 'tenant-admin', ofTenant: true },
  domain_unproven: { way: 'bell', for: 'tenant-admin', ofTenant: true },
  domain_stopped: { way: 'bell', for: 'tenant-admin', ofTenant: true },
  clock_doubted: { way: 'bell', for: 'tenant-admin', ofTenant: true },
};
export const chosenKinds = Object.keys(noticeRules) as ChosenKind[];
