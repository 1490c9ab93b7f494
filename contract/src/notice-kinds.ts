import type { NoticeKind } from './notifications.ts';

// How people are notified. Without zod, so that a screen can use it without the schemas.

/** In the panel only; also in the user's browsers; also by mail at once; also in the daily mail; not at all. */
export const noticeWays = ['bell', 'push', 'mail', 'digest', 'off'] as const;
export type NoticeWay = (typeof noticeWays)[number];

/** An invitation waits for an answer, so it always appears. */
export type ChosenKind = Exclude<NoticeKind, 'invitation_received'>;

interface Rule {
  /** The default for a user who has not chosen. */
  readonly way: NoticeWay;
  /** The users who can receive it; default: all who manage a location. */
  readonly for?: 'tenant-admin' | 'not-members';
  /** It concerns the tenant, not a location. */
  readonly ofTenant?: true;
}

export const noticeRules: Readonly<Record<ChosenKind, Rule>> = {
  device_offline: { way: 'bell' },
  device_online: { way: 'bell' },
  commands_waiting: { way: 'bell' },
  failed_sign_ins: { way: 'bell' },
  certificate_ending: { way: 'bell' },
  login_host_refused: { way: 'bell' },
  controller_failing: { way: 'bell' },
  controller_recovered: { way: 'bell' },
  license_ending: { way: 'mail' },
  license_over: { way: 'mail' },
  license_requested: { way: 'mail', for: 'not-members' },
  location_suspended: { way: 'bell' },
  location_resumed: { way: 'bell' },
  customer_given: { way: 'bell', for: 'not-members' },
  invitation_accepted: { way: 'mail' },
  invitation_denied: { way: 'bell' },
  integration_failing: { way: 'bell' },
  integration_recovered: { way: 'bell' },
  webhooks_left: { way: 'mail' },
  sms_limit: { way: 'bell' },
  log_chain_broken: { way: 'bell' },
  log_silence: { way: 'bell' },
  log_lines_quarantined: { way: 'bell' },
  mail_limit: { way: 'bell', for: 'tenant-admin', ofTenant: true },
  domain_unproven: { way: 'bell', for: 'tenant-admin', ofTenant: true },
  domain_stopped: { way: 'bell', for: 'tenant-admin', ofTenant: true },
  clock_doubted: { way: 'bell', for: 'tenant-admin', ofTenant: true },
};
export const chosenKinds = Object.keys(noticeRules) as ChosenKind[];
