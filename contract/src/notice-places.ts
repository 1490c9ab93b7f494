import type { NoticeKind } from './notifications.ts';

/** The screen where the user can act on a notification. Without zod, so that a screen can use it without the schemas. */
export function placeOfNotice({
  kind,
  device_id,
  location_id,
  devices = 1,
  location_ids = [],
}: {
  kind: NoticeKind;
  device_id: string | null;
  location_id: string | null;
  /** More than 1: of several devices, shown as one. */
  devices?: number;
  location_ids?: readonly string[];
}): string | undefined {
  if (kind === 'invitation_received') return undefined;
  if (devices > 1) {
    const status = { device_offline: 'offline', device_online: 'online' }[String(kind)];
    const search = new URLSearchParams({
      ...(location_ids.length > 0 && { location: location_ids.join() }),
      ...(status && { status }),
    });
    return `/devices?${search}`;
  }
  if (['integration_failing', 'integration_recovered', 'webhooks_left'].includes(kind)) return '/integrations';
  if (kind === 'domain_unproven' || kind === 'domain_stopped') return '/settings/domains';
  if (kind === 'certificate_ending') return `/devices/${device_id}/certificates`;
  if (kind === 'failed_sign_ins') return `/?show=failed&locations=${location_id}`;
  if (kind === 'log_lines_quarantined' || kind === 'log_silence') return `/devices/${device_id}/logs`;
  if (kind === 'login_host_refused' || kind === 'commands_waiting') return `/devices/${device_id}/info`;
  if (device_id) return `/devices/${device_id}`;
  if (!location_id) return undefined;
  const base = `/locations/${location_id}/edit`;
  return kind.startsWith('invitation_') ? `${base}/users` : base;
}
