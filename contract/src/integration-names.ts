/** Names of integrations. Without zod, so that screens can use them without the schemas. */

export const integrationTypes = ['pms', 'sms', 'webhook', 'email', 'social', 'payment'] as const;
export const pmsSlugs = ['postgresql', 'mysql', 'mssql'] as const;
/** Hotel systems in the cloud, connected by their web interfaces. */
export const cloudHotelSlugs = ['mews', 'apaleo'] as const;
/** Hotel systems that are connected by their own protocol instead of a table of their database. */
export const hotelSlugs = ['fias', ...cloudHotelSlugs] as const;
export const mewsEnvironments = ['production', 'demo'] as const;
/** Kinds of value added tax at Apaleo. */
export const apaleoVatTypes = ['Normal', 'Reduced', 'VeryReduced', 'Special', 'Without', 'Null'] as const;
export const fiasEncodings = ['utf-8', 'windows-1254', 'windows-1252'] as const;
/** The fields of a FIAS record that a hotel fills as it likes. */
export const fiasUserFields = ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9'] as const;
/** The property that decides about the session profile of a hotel guest. */
export const stayCodes = ['vip', 'rate'] as const;
export const roomChargeStates = ['waiting', 'sent', 'unknown', 'posted', 'refused', 'cancelled'] as const;
/** How an operator settles a charge: it is on the bill, it is sent anew, or it is given up. */
export const roomChargeOutcomes = ['posted', 'again', 'cancelled'] as const;
export const operatorSlugs = ['netgsm', 'iletimerkezi', 'twilio', 'vonage'] as const;
export const smsSlugs = [...operatorSlugs, 'sms-http'] as const;
export const paymentSlugs = ['test-payment', 'stripe', 'iyzico', 'paytr'] as const;
/** How guests pay for packages: at a provider, or on the bill of their hotel room. */
export const purchaseProviders = [...paymentSlugs, 'room'] as const;
export const integrationSlugs = [
  ...pmsSlugs,
  ...hotelSlugs,
  ...smsSlugs,
  'webhook',
  'smtp',
  'openid',
  ...paymentSlugs,
] as const;
export const smsContentTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/xml',
  'text/plain',
] as const;
/** The events that a webhook can get, by what they are about. */
export const webhookEventGroups = {
  guests: ['guest.online', 'guest.offline'],
  visitors: [
    'visitor.created',
    'visitor.updated',
    'visitor.deleted',
    'visitor.expired',
    'consent.given',
    'consent.withdrawn',
    'survey.answered',
    'import.created',
    'import.read',
    'import.failed',
    'import.started',
    'import.finished',
    'import.deleted',
  ],
  vouchers: ['voucher.issued', 'voucher.redeemed', 'voucher.revoked', 'voucher_batch.created', 'voucher_batch.updated'],
  money: [
    'sale.created',
    'sale.reversed',
    'purchase.created',
    'purchase.paid',
    'purchase.failed',
    'purchase.refused',
    'purchase.refunded',
    'purchase.charged_back',
    'room_charge.created',
    'room_charge.posted',
    'room_charge.refused',
    'room_charge.cancelled',
    'package.created',
    'package.updated',
    'package.deleted',
  ],
  devices: [
    'device.offline',
    'device.online',
    'device.created',
    'device.updated',
    'device.deleted',
    'device.host_refused',
    'device.controller_failing',
    'device.controller_recovered',
    'network.created',
    'network.updated',
    'network.deleted',
    'mac_rule.created',
    'mac_rule.updated',
    'mac_rule.deleted',
    'certificate.created',
    'certificate.updated',
    'certificate.deleted',
    'certificate.ending',
    'log_source.created',
    'log_source.deleted',
    'log_source.quarantined',
    'log_file.created',
    'log_file.updated',
    'log_file.deleted',
    'log_record.broken',
    'log_record.silent',
    'printer.created',
    'printer.updated',
    'printer.deleted',
  ],
  location: [
    'location.updated',
    'licence.requested',
    'licence.paid',
    'licence.refunded',
    'licence.expiring',
    'licence.expired',
    'sms.limit',
    'message.sent',
    'message.delivered',
    'message.failed',
    'failed_sign_ins.rising',
    'portal.created',
    'portal.updated',
    'portal.deleted',
    'advertisement.created',
    'advertisement.updated',
    'advertisement.deleted',
    'survey.created',
    'survey.updated',
    'survey.deleted',
    'portal_rule.created',
    'portal_rule.updated',
    'portal_rule.deleted',
    'profile.created',
    'profile.updated',
    'profile.deleted',
    'integration.created',
    'integration.updated',
    'integration.deleted',
    'integration.failing',
    'integration.recovered',
    'report_mail.created',
    'report_mail.updated',
    'report_mail.deleted',
    'report_mail.sent',
  ],
  menu: [
    'menu_category.created',
    'menu_category.updated',
    'menu_category.deleted',
    'menu_product.created',
    'menu_product.updated',
    'menu_product.deleted',
    'menu_desk.created',
    'menu_desk.updated',
    'menu_desk.deleted',
  ],
  team: [
    'member.created',
    'member.updated',
    'member.deleted',
    'invitation.created',
    'invitation.updated',
    'invitation.deleted',
    'role.created',
    'role.updated',
    'role.deleted',
    'role_adjustment.created',
    'role_adjustment.updated',
    'role_adjustment.deleted',
    'audit.recorded',
  ],
  tenant: [
    'location.created',
    'location.deleted',
    'tenant.updated',
    'user.created',
    'user.updated',
    'user.deleted',
    'domain.created',
    'domain.updated',
    'domain.deleted',
    'single_sign_on.created',
    'single_sign_on.updated',
    'single_sign_on.deleted',
    'radius_proxy.created',
    'radius_proxy.updated',
    'radius_proxy.deleted',
    'unknown_device.seen',
    'mail.limit',
    'clock.doubted',
  ],
} as const;
export const webhookEvents = Object.values(webhookEventGroups).flat();
export const smtpSecurities = ['tls', 'starttls', 'none'] as const;
export type IntegrationType = (typeof integrationTypes)[number];
export type RoomChargeOutcome = (typeof roomChargeOutcomes)[number];
export type PmsSlug = (typeof pmsSlugs)[number];
export type HotelSlug = (typeof hotelSlugs)[number];
export type CloudHotelSlug = (typeof cloudHotelSlugs)[number];
export type OperatorSlug = (typeof operatorSlugs)[number];
export type PaymentSlug = (typeof paymentSlugs)[number];
export type PurchaseProvider = (typeof purchaseProviders)[number];
export type SmsSlug = (typeof smsSlugs)[number];
export type IntegrationSlug = (typeof integrationSlugs)[number];
export type WebhookEvent = (typeof webhookEvents)[number];
export const requiredFields = [
  'firstname',
  'lastname',
  'birth_date',
  'session_start_at',
  'session_end_at',
  'room_number',
] as const;
export const optionalFields = ['gender', 'nationality', 'phone', 'idNumber', 'email'] as const;
