/** Names of integrations. Without zod, so that screens can use them without the schemas. */

export const integrationTypes = ['pms', 'sms', 'webhook', 'email', 'social'] as const;
export const pmsSlugs = ['postgresql', 'mysql', 'mssql'] as const;
export const operatorSlugs = ['netgsm', 'iletimerkezi', 'twilio', 'vonage'] as const;
export const smsSlugs = [...operatorSlugs, 'sms-http'] as const;
export const integrationSlugs = [...pmsSlugs, ...smsSlugs, 'webhook', 'smtp', 'openid'] as const;
export const smsContentTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/xml',
  'text/plain',
] as const;
/** The events that a webhook can get. */
export const webhookEvents = [
  'guest.online',
  'guest.offline',
  'visitor.created',
  'sale.created',
  'sale.reversed',
  'device.offline',
  'device.online',
  'survey.answered',
  'consent.given',
  'consent.withdrawn',
] as const;
export const smtpSecurities = ['tls', 'starttls', 'none'] as const;
export type IntegrationType = (typeof integrationTypes)[number];
export type PmsSlug = (typeof pmsSlugs)[number];
export type OperatorSlug = (typeof operatorSlugs)[number];
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
