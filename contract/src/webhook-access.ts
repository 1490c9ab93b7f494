import type { WebhookEvent } from './integration-names.ts';
import type { Access } from './permissions.ts';

type Noun<E> = E extends `${infer N}.${string}` ? N : never;

/** The permission that reading the same in the panel needs, by the subject of an event. */
const byNoun: Readonly<Record<Noun<WebhookEvent>, Access>> = {
  guest: 'view-clients',
  visitor: 'view-clients',
  consent: 'view-clients',
  import: 'store-clients',
  voucher: 'view-vouchers',
  voucher_batch: 'view-vouchers',
  sale: 'view-clients',
  purchase: 'view-clients',
  room_charge: 'view-integrations',
  package: 'read-profiles',
  device: 'view-devices',
  network: 'view-devices',
  mac_rule: 'view-devices',
  certificate: 'view-devices',
  log_source: 'view-devices',
  log_file: 'view-devices',
  log_record: 'view-devices',
  printer: 'store-vouchers',
  location: 'signed-in',
  licence: 'signed-in',
  sms: 'read-location',
  message: 'view-integrations',
  failed_sign_ins: 'view-basic-stats',
  portal: 'view-portals',
  advertisement: 'view-portals',
  survey: 'view-portals',
  portal_rule: 'view-portals',
  profile: 'read-profiles',
  integration: 'view-integrations',
  report_mail: 'update-location',
  menu_category: 'view-portals',
  menu_product: 'view-portals',
  menu_desk: 'view-portals',
  member: 'read-location',
  invitation: 'read-location',
  role: 'read-location',
  role_adjustment: 'read-location',
  audit: 'read-location',
  // No event of these reaches the webhook of a location.
  tenant: 'signed-in',
  user: 'signed-in',
  domain: 'signed-in',
  single_sign_on: 'signed-in',
  radius_proxy: 'signed-in',
  unknown_device: 'signed-in',
  mail: 'signed-in',
  clock: 'signed-in',
};

/** The access that is needed for a location's webhook to get an event. Webhooks of the tenant are for tenant administrators. */
export const webhookAccess = (event: WebhookEvent): Access => byNoun[event.split('.')[0] as Noun<WebhookEvent>];
