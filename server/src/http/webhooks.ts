import { type WebhookEvent, webhookEventGroups, webhookEvents } from '@portico/contract/integration-names.ts';
import { webhookPayloads } from '@portico/contract/webhook-events.ts';
import { z } from 'zod';
import type { createComponents, Json } from './openapi-schemas.ts';

/** The events of webhooks in the description of the API, and an example of each. */

const at = '2026-11-20T15:30:00.000Z';
const ids = {
  id: '01a1fa3e-d091-73ee-b6c6-e51adeeae565',
  location_id: '01a1fa3e-c7c1-712a-90d0-092a3852718a',
  visitor_id: '01a1fa3e-cbc1-7ef6-927f-4ddfcfc807e8',
  device_id: '01a1fa3e-cdf1-703d-ad31-9b554b6d0ac9',
  profile_id: '01a1fa3e-d2a4-7c1b-8f2e-6a0b9d5c4e11',
};
const sms = { recipient: '+90 555 *** ** 00', problem: null, sent_at: at, delivered_at: null };
const logFile = {
  type: 'firewall',
  day: '2026-11-19',
  part: 1,
  sealed_at: at,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
const limit = (option: string, value: number) => ({ is_active: true, option, value });

/** The values of fields that mean the same in each event. */
const samples: Readonly<Record<string, unknown>> = {
  ...ids,
  session_id: ids.id,
  survey_id: '01a1fa3e-d3b0-7f7e-a1c5-0c8d2f4b6e22',
  integration_id: '01a1fa3e-d4c2-7a90-b3d7-1e9f3a5c7b33',
  batch_id: '01a1fa3e-d5d3-7b01-94e8-2fa04b6d8c44',
  package_id: '01a1fa3e-d6e4-7c12-85f9-30b15c7e9d55',
  sale_id: '01a1fa3e-d7f5-7d23-960a-41c26d8faf66',
  reverses: '01a1fa3e-d7f5-7d23-960a-41c26d8faf66',
  brand_id: '0b0a0000-0000-4000-8000-000000000001',
  model_id: null,
  portal_id: '01a1fa3e-d806-7e34-a71b-52d37e90b077',
  default_profile_id: ids.profile_id,
  visitor: { id: ids.visitor_id, name: 'Ada Deniz', room_number: '204' },
  mac: 'A1:B2:C3:D4:E5:05',
  ip: '10.9.0.5',
  started_at: '2026-11-20T14:10:00.000Z',
  seconds: 4800,
  upload_bytes: 1_200_000,
  download_bytes: 58_000_000,
  name: 'Ada Deniz',
  provider_type: 'username',
  room_number: '204',
  session_start_at: null,
  session_end_at: '2026-11-22T09:00:00.000Z',
  blocked: false,
  changed: ['name'],
  channel: 'email',
  recipient: 'ada@example.com',
  version: '5f3c0a1b9d2e',
  language: 'en',
  given_at: '2026-11-01T08:00:00.000Z',
  withdrawn_at: at,
  by: 'guest',
  answers: { 'q-1': ['a-2'], 'q-2': 'Very quick.' },
  source: 'user-manager',
  file_name: 'users.csv',
  total: 150,
  created: 140,
  updated: 8,
  skipped: 2,
  finished_at: at,
  number: 12,
  issued_at: '2026-11-20T12:00:00.000Z',
  used_at: null,
  revoked_at: null,
  shared_user: 1,
  valid_for: limit('day', 1),
  valid_until: null,
  at_desk: true,
  days: 3,
  unit_price: 50,
  currency: 'try',
  sold_at: at,
  reason: 'Wrong guest',
  package: 'Fast',
  amount: 15_000,
  tax: 2500,
  provider: 'stripe',
  payment: 'pi_3Nq',
  state: 'paid',
  paid_at: '2026-11-20T15:29:58.000Z',
  refunded_at: null,
  answer: null,
  answered_at: at,
  price: 5000,
  tax_rate: 2000,
  min_days: 1,
  max_days: 7,
  is_active: true,
  last_seen_at: '2026-11-20T15:24:05.000Z',
  mac_address: 'A1:B2:C3:D4:E5:01',
  hotspot_status: true,
  license_end_at: '2027-11-20T20:59:59.000Z',
  country: 'Türkiye',
  city: 'İzmir',
  district: 'Konak',
  time_zone: 'Europe/Istanbul',
  suspended_at: null,
  ends_at: '2026-11-27T20:59:59.000Z',
  is_trial: false,
  session_duration: limit('hour', 8),
  max_upload: limit('mbps', 5),
  max_download: limit('mbps', 20),
  start_ip: '10.9.0.0',
  subnet: 24,
  type: 'image',
  comment: 'Office printer',
  serial: '4f1d0c2b',
  expires_at: '2027-11-20T00:00:00.000Z',
  network: '192.0.2.7/32',
  proof: 'operator',
  first_at: at,
  host: '192.168.1.50',
  port: 9100,
  paper: '80',
  letters: 'cp857',
  starts_on: '2026-11-01',
  ends_on: null,
  weight: 1,
  action: 'redirect_to_url',
  kind: 'webhook',
  frequency: 'weekly',
  reports: ['sessions'],
  title: 'Türk kahvesi',
  title_en: 'Turkish coffee',
  status: 1,
  position: 3,
  prefix: 'M',
  number_start: 1,
  number_end: 20,
  user_id: '01a1fa3e-d917-7f45-b82c-63e48fa1c188',
  role_id: '01a1fa3e-da28-7056-893d-74f590b2d299',
  permissions: ['view-clients', 'store-clients'],
  device_ids: null,
  role_ids: ['01a1fa3e-da28-7056-893d-74f590b2d299'],
  email: 'deniz@example.com',
  closed_as: null,
  first_name: 'Deniz',
  last_name: 'Kaya',
  role: 'reseller',
  slug: 'panel',
  brand_name: 'Portico',
  variant: 'standard',
  verified_at: at,
  issuer: 'https://login.example.com',
  enabled: true,
  enforced: false,
  domains: ['example.com'],
  create_accounts: true,
  address: '203.0.113.9',
  locations: [],
  years: 1,
  nas_identifier: 'garden-ap',
  packets: 42,
  proxy_id: '01a1fa3e-db11-7a3c-8f6e-5d1f7a0c2b33',
  lines: 120,
  failed: 24,
  last_line_at: '2026-11-19T14:02:11.000Z',
  percent: 80,
  used: 800,
};

/** Where an event has another value than the others. */
const own: Partial<Record<WebhookEvent, Readonly<Record<string, unknown>>>> = {
  'visitor.updated': { changed: ['room_number', 'session_end_at'] },
  'voucher.redeemed': { used_at: at },
  'voucher.revoked': { visitor_id: null, revoked_at: at },
  'purchase.created': { state: 'open', payment: null, paid_at: null },
  'purchase.failed': { state: 'failed', payment: null, paid_at: null },
  'purchase.refused': { state: 'refused', paid_at: null },
  'purchase.refunded': { state: 'refunded', refunded_at: at },
  'purchase.charged_back': { state: 'charged-back' },
  'sale.reversed': { days: -3, total: -150 },
  'room_charge.created': { state: 'waiting', answered_at: null },
  'room_charge.posted': { state: 'posted' },
  'room_charge.cancelled': { state: 'cancelled' },
  'room_charge.refused': { state: 'refused', answer: 'NP' },
  'mac_rule.created': { type: 'bypassed' },
  'mac_rule.updated': { type: 'bypassed', changed: ['comment'] },
  'certificate.updated': { revoked_at: at, changed: ['revoked_at'] },
  'invitation.updated': { closed_as: 'accepted', changed: ['closed_as'] },
  'member.updated': { changed: ['permissions'] },
  'role_adjustment.updated': { changed: ['permissions'] },
  'menu_category.updated': { changed: ['title'] },
  'menu_product.updated': { changed: ['price'] },
  'menu_desk.created': { title: 'Garden' },
  'menu_desk.updated': { title: 'Garden', changed: ['title'] },
  'tenant.updated': { changed: ['brand_name'] },
  'user.updated': { changed: ['role'] },
  'domain.created': { host: 'wifi.example.com', verified_at: null },
  'domain.updated': { host: 'wifi.example.com', changed: ['verified_at'] },
  'domain.deleted': { host: 'wifi.example.com' },
  'single_sign_on.updated': { changed: ['enforced'] },
  'portal_rule.created': { state: 'login_successful', survey_id: null },
  'portal_rule.updated': { state: 'login_successful', survey_id: null, changed: ['url'] },
  'import.created': { created: 0, updated: 0, skipped: 0, started_at: null, finished_at: null },
  'import.started': { created: 0, updated: 0, skipped: 0, finished_at: null },
  'licence.expiring': { days: 7 },
  'certificate.ending': { days: 30 },
  'message.sent': { ...sms, state: 'sent' },
  'message.delivered': { ...sms, state: 'delivered', delivered_at: at },
  'message.failed': { ...sms, state: 'failed', sent_at: null, problem: 'refused' },
  'log_file.created': { ...logFile, sealed_at: null, sha256: null },
  'log_file.updated': { ...logFile, changed: ['sealed_at', 'sha256'] },
  'audit.recorded': { user_id: ids.id, verb: 'sign-in', subject_type: 'user', subject_id: ids.id, device_id: null },
  'sms.limit': { limit: 1000 },
  'mail.limit': { used: 4000, limit: 5000 },
  'clock.doubted': { known: '2026-11-20', now: '2027-03-01' },
  'device.host_refused': { host: '10.20.0.1' },
  'device.controller_failing': { problem: 'unreachable', reason: 'no answer within 5 s' },
  'log_record.broken': { where: 'files/2026-11-19-hotspot.log.gz', problem: 'file_changed' },
  'unknown_device.seen': { proxy_id: null },
  'integration.failing': { reason: 'The server cannot be reached' },
  'licence.expired': { days: 0, ends_at: '2026-11-20T20:59:59.000Z' },
};
const names: Readonly<Record<string, unknown>> = {
  device: 'Lobi',
  location: 'Çınar Otel',
  licence: 'Çınar Otel',
  portal: 'Summer',
  profile: 'Guests',
  voucher_batch: 'Pool',
  package: { en: 'Fast', tr: 'Hızlı' },
  network: 'Garden',
  certificate: 'Lobi',
  log_source: 'Lobi',
  log_record: 'Lobi',
  failed_sign_ins: 'Çınar Otel',
  printer: 'Reception',
  advertisement: 'Brunch',
  survey: 'Your stay',
  integration: 'CRM',
  report_mail: 'Weekly',
  role: 'Night shift',
  radius_proxy: 'Headquarters',
};

/** Subjects of events that belong to no location. */
const ofTenant = new Set([
  'tenant',
  'user',
  'domain',
  'single_sign_on',
  'radius_proxy',
  'unknown_device',
  'mail',
  'clock',
]);

/** An example of the payload of an event. */
export function exampleOf(event: WebhookEvent): { type: WebhookEvent; timestamp: string; data: Json } {
  const noun = event.split('.')[0]!;
  const values = { ...samples, ...(noun in names && { name: names[noun] }), ...own[event] } as Json;
  // The location of an event about a location is that one.
  if (noun === 'location') values['id'] = values['location_id'];
  if (ofTenant.has(noun)) values['location_id'] = null;
  const fields = Object.keys(webhookPayloads[event].data.shape);
  return { type: event, timestamp: at, data: Object.fromEntries(fields.map(field => [field, values[field]])) };
}

const groupTitles: Readonly<Record<keyof typeof webhookEventGroups, string>> = {
  guests: 'Guests online',
  visitors: 'Visitors',
  vouchers: 'Vouchers',
  money: 'Sales and payments',
  devices: 'Devices, networks and printers',
  location: 'Location, portals, session profiles and reports',
  menu: 'QR menu',
  team: 'Administrators, invitations and roles',
  tenant: 'Whole tenant',
};

/** The events by group, with their examples, for the page for readers. */
export const eventGroups = Object.entries(webhookEventGroups).map(([group, events]) => ({
  title: groupTitles[group as keyof typeof webhookEventGroups],
  events: events.map(event => ({ event, when: webhookPayloads[event].when, example: exampleOf(event) })),
}));

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The section `webhooks` of the description. */
export function describeWebhooks(components: ReturnType<typeof createComponents>, tag: string): Json {
  const describe = (event: WebhookEvent): Json => {
    const { when, data } = webhookPayloads[event];
    const schema = components.output(
      z.object({ type: z.literal(event), timestamp: z.string().meta({ format: 'date-time' }), data }),
    );
    return {
      post: {
        operationId: `webhook.${event}`,
        tags: [tag],
        summary: event,
        description: `Sent when ${when}.`,
        security: [],
        parameters: [
          header('webhook-id', 'Stays the same when an event is sent again.', ids.id),
          header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1795188000'),
          header(
            'webhook-signature',
            'As Standard Webhooks describes it.',
            'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          ),
        ],
        requestBody: { required: true, content: { 'application/json': { schema, example: exampleOf(event) } } },
        responses: {
          '2XX': { description: 'Received.' },
          '410': { description: 'The receiver wants no further attempts of this delivery.' },
        },
      },
    };
  };
  return Object.fromEntries(webhookEvents.map(event => [event, describe(event)]));
}
