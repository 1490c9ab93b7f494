import { z } from 'zod';
import { consentEnders } from './consent-kinds.ts';
import { id, time } from './fields.ts';
import type { WebhookEvent } from './integration-names.ts';
import * as shapes from './webhook-shapes.ts';
import { changed, here, maybe, shared, tenantWide } from './webhook-shapes.ts';

interface About {
  /** When it is sent, as the rest of a sentence. */
  readonly when: string;
  readonly data: z.ZodObject;
}

/** When each event is sent, and with what. */
export const webhookPayloads = {
  'guest.online': { when: 'a session of a guest begins', data: shapes.session },
  'guest.offline': {
    when: 'a session of a guest ends',
    data: shapes.session.extend({ seconds: z.number(), upload_bytes: z.number(), download_bytes: z.number() }),
  },
  'visitor.created': {
    when: 'a visitor is created, by hand, by import or by signing in; those of an import come after other events',
    data: shapes.visitor,
  },
  'visitor.updated': { when: 'a visitor changes', data: shapes.visitor.extend({ changed }) },
  'visitor.deleted': { when: 'a visitor is deleted, or its identity is erased', data: shapes.gone },
  'visitor.expired': {
    when: 'the access of a visitor ends by its time, one to two minutes later',
    data: shapes.visitorEnd,
  },
  'consent.given': { when: 'a guest allows news and offers by a channel', data: shapes.consent },
  'consent.withdrawn': {
    when: 'such a consent ends; with `by` `erasure`, `recipient` is null; with `by` `renewal`, `consent.given` follows; with `by` `address`, the visitor has another address now',
    data: shapes.consent.extend({ withdrawn_at: time, by: z.enum(consentEnders) }),
  },
  'survey.answered': {
    when: 'a guest answers a survey',
    data: z.object({
      ...here,
      survey_id: id,
      device_id: id,
      visitor_id: maybe,
      language: z.string(),
      /** By question: the ids of the chosen answers, or the text. */
      answers: z.record(z.string(), z.unknown()),
    }),
  },
  'import.created': {
    when: 'a file of another program is received, or a file of past sessions begins to arrive',
    data: shapes.foreignImport,
  },
  'import.read': {
    when: 'the file is read, and the report of the import is ready; `created`, `updated` and `skipped` say what would happen',
    data: shapes.foreignImport,
  },
  'import.failed': {
    when: 'a file of past sessions cannot be read; `problem` says why',
    data: shapes.foreignImport,
  },
  'import.started': { when: 'such an import begins', data: shapes.foreignImport.extend({ started_at: time }) },
  'import.finished': {
    when: 'such an import is done',
    data: shapes.foreignImport.extend({ started_at: time, finished_at: time }),
  },
  'import.deleted': { when: 'an import is deleted, by hand or after its time', data: shapes.gone },
  'voucher.issued': { when: 'the desk hands out a voucher', data: shapes.voucher },
  'voucher.redeemed': { when: 'a guest uses a voucher for the first time', data: shapes.voucher },
  'voucher.revoked': { when: 'a voucher is revoked', data: shapes.voucher },
  'voucher_batch.created': { when: 'a batch of vouchers is made', data: shapes.voucherBatch },
  'voucher_batch.updated': {
    when: 'a batch changes or gets further vouchers',
    data: shapes.voucherBatch.extend({ changed }),
  },
  'sale.created': { when: 'days or a voucher are sold', data: shapes.sale },
  'sale.reversed': {
    when: 'a sale is reversed; `reverses` is the id of the sale',
    data: shapes.sale.extend({ reverses: id, reason: z.string() }),
  },
  'purchase.created': { when: 'a guest begins a purchase on the portal', data: shapes.purchase },
  'purchase.paid': { when: 'a guest has paid on the portal', data: shapes.purchase },
  'purchase.failed': { when: 'a payment was declined, or did not come within a day', data: shapes.purchase },
  'purchase.refused': {
    when: 'the provider reports another amount than was asked for, so there is no access',
    data: shapes.purchase,
  },
  'purchase.refunded': { when: 'the money of a purchase went back', data: shapes.purchase },
  'purchase.charged_back': { when: 'the bank of a guest took the money back', data: shapes.purchase },
  'room_charge.created': { when: 'a charge waits for the hotel system', data: shapes.roomCharge },
  'room_charge.posted': { when: 'the hotel system has put a charge on the bill', data: shapes.roomCharge },
  'room_charge.refused': { when: 'the hotel system refuses a charge', data: shapes.roomCharge },
  'room_charge.cancelled': { when: 'a charge is given up', data: shapes.roomCharge },
  'package.created': { when: 'a package is created', data: shapes.guestPackage },
  'package.updated': { when: 'a package changes', data: shapes.guestPackage.extend({ changed }) },
  'package.deleted': { when: 'a package is deleted', data: shapes.gone },
  'device.offline': { when: 'a device has sent nothing for a while', data: shapes.watched },
  'device.online': { when: 'a device that was reported as offline is back', data: shapes.watched },
  'device.created': { when: 'a device is created, or comes from another location', data: shapes.device },
  'device.updated': { when: 'a device changes', data: shapes.device.extend({ changed }) },
  'device.deleted': { when: 'a device is deleted, or goes to another location', data: shapes.gone },
  'device.host_refused': {
    when: 'guests of a device come with the address of a hotspot that it has not used; once a day',
    data: z.object({ ...here, name: z.string(), host: z.string() }),
  },
  'device.controller_failing': {
    when: 'the controller of a device does not answer or does not work for two minutes, or refuses our account or shows another certificate',
    data: z.object({
      ...here,
      name: z.string(),
      problem: z.enum(['unreachable', 'login', 'certificate', 'refused']),
      /** The words of the controller, or of the failed connection. */
      reason: z.string(),
    }),
  },
  'device.controller_recovered': {
    when: 'a controller that was reported as failing works again',
    data: z.object({ ...here, name: z.string() }),
  },
  'network.created': { when: 'a network of a device is created', data: shapes.network },
  'network.updated': { when: 'a network changes', data: shapes.network.extend({ changed }) },
  'network.deleted': { when: 'a network is deleted', data: shapes.gone },
  'mac_rule.created': { when: 'a MAC address is let through or blocked at a device', data: shapes.macRule },
  'mac_rule.updated': { when: 'such a rule changes', data: shapes.macRule.extend({ changed }) },
  'mac_rule.deleted': { when: 'such a rule is deleted', data: shapes.gone },
  'certificate.created': { when: 'a device gets a certificate', data: shapes.certificate },
  'certificate.updated': { when: 'a certificate is revoked', data: shapes.certificate.extend({ changed }) },
  'certificate.deleted': { when: 'a certificate is deleted', data: shapes.gone },
  'certificate.ending': {
    when: 'a certificate ends within 30 days; once',
    data: z.object({ ...here, device_id: id, name: z.string(), days: z.number() }),
  },
  'log_source.created': { when: 'an address may send log lines in the name of a device', data: shapes.logSource },
  'log_source.deleted': { when: 'such an address is removed', data: shapes.gone },
  'log_source.quarantined': {
    when: 'log lines in the name of a device come from an address that it has not proven; once a week',
    data: z.object({ location_id: id, device_id: id, name: z.string(), address: z.string(), lines: z.number() }),
  },
  'log_file.created': { when: 'a log file of a device is begun', data: shapes.logFile },
  'log_file.updated': {
    when: 'a log file is sealed, or found missing or changed',
    data: shapes.logFile.extend({ changed }),
  },
  'log_file.deleted': { when: 'a log file is erased after its time', data: shapes.gone },
  'log_record.broken': {
    when: 'a sealed log file is missing or was changed; again after 14 days if it stays so',
    data: z.object({
      location_id: maybe,
      device_id: id,
      name: z.string(),
      /** The file, or the part of the chain. */
      where: z.string(),
      problem: z.string(),
    }),
  },
  'log_record.silent': {
    when: 'a device that serves guests has sent no log lines for a day; once a day',
    data: z.object({ location_id: id, device_id: id, name: z.string(), last_line_at: time }),
  },
  'printer.created': { when: 'a receipt printer is added', data: shapes.printer },
  'printer.updated': { when: 'a receipt printer changes', data: shapes.printer.extend({ changed }) },
  'printer.deleted': { when: 'a receipt printer is removed', data: shapes.gone },
  'location.created': { when: 'a location is created; for webhooks of the tenant', data: shapes.location },
  'location.updated': {
    when: 'a location changes, is suspended, gets a licence, or goes to another reseller',
    data: shapes.location.extend({ changed }),
  },
  'location.deleted': {
    when: 'a location is deleted, with all that it had; for webhooks of the tenant',
    data: shapes.gone,
  },
  'licence.requested': {
    when: 'a licence is asked for',
    data: z.object({ location_id: id, name: z.string(), years: z.number() }),
  },
  'licence.paid': { when: 'a licence is paid online, and is in force', data: shapes.licencePaid },
  'licence.refunded': { when: 'such a payment went back', data: shapes.licencePaid },
  'licence.expiring': {
    when: 'the licence of the location ends in 30, 7 or 1 days, a trial in 7 or 1',
    data: shapes.licence,
  },
  'licence.expired': { when: 'the licence of the location, or its trial, has ended', data: shapes.licence },
  'message.sent': { when: 'a gateway has accepted a text message to a guest', data: shapes.message },
  'message.delivered': { when: 'a text message has arrived', data: shapes.message },
  'message.failed': { when: 'a text message is given up', data: shapes.message },
  'sms.limit': {
    when: 'the text messages of a location reach 80 or 100 % of their limit',
    data: z.object({ location_id: id, percent: z.number(), used: z.number(), limit: z.number() }),
  },
  'failed_sign_ins.rising': {
    when: 'three times as many sign-ins of guests failed in an hour as in an average hour, and at least ten; once a day',
    data: z.object({ location_id: id, name: z.string(), failed: z.number() }),
  },
  'portal.created': { when: 'a portal of the location is created', data: shapes.portal },
  'portal.updated': {
    when: 'a portal that the location shows is published or changed',
    data: shapes.portal.extend({ changed }),
  },
  'portal.deleted': { when: 'a portal of the location is deleted', data: shapes.goneShared },
  'advertisement.created': { when: 'an advertisement is published', data: shapes.advertisement },
  'advertisement.updated': {
    when: 'a published advertisement changes',
    data: shapes.advertisement.extend({ changed }),
  },
  'advertisement.deleted': { when: 'an advertisement is deleted or left out', data: shapes.goneShared },
  'survey.created': { when: 'a survey is published', data: shapes.survey },
  'survey.updated': { when: 'a published survey changes', data: shapes.survey.extend({ changed }) },
  'survey.deleted': { when: 'a survey is deleted or left out', data: shapes.goneShared },
  'portal_rule.created': { when: 'a rule of a portal, such as a redirect, is published', data: shapes.portalRule },
  'portal_rule.updated': { when: 'a published rule changes', data: shapes.portalRule.extend({ changed }) },
  'portal_rule.deleted': { when: 'a rule of a portal is deleted', data: shapes.goneShared },
  'profile.created': { when: 'a session profile is created', data: shapes.profile },
  'profile.updated': { when: 'a session profile changes', data: shapes.profile.extend({ changed }) },
  'profile.deleted': { when: 'a session profile is deleted', data: shapes.gone },
  'integration.created': { when: 'an integration is added', data: shapes.anIntegration },
  'integration.updated': {
    when: 'the name, the events or the mapped fields of an integration change',
    data: shapes.anIntegration.extend({ changed }),
  },
  'integration.deleted': { when: 'an integration is deleted', data: shapes.goneShared },
  'integration.failing': {
    when: 'an integration stops working; sent once per failure',
    data: z.object({ ...shared, name: z.string(), reason: z.string() }),
  },
  'integration.recovered': {
    when: 'it works again',
    data: z.object({ ...shared, name: z.string() }),
  },
  'report_mail.created': { when: 'reports by mail are set up', data: shapes.reportMail },
  'report_mail.updated': { when: 'they change', data: shapes.reportMail.extend({ changed }) },
  'report_mail.deleted': { when: 'they are deleted', data: shapes.gone },
  'report_mail.sent': {
    when: 'reports are mailed',
    data: z.object({ ...here, name: z.string(), frequency: z.string(), reports: z.array(z.string()) }),
  },
  'menu_category.created': { when: 'a category of the QR menu is created', data: shapes.menuCategory },
  'menu_category.updated': {
    when: 'a category changes or gets another place',
    data: shapes.menuCategory.extend({ changed }),
  },
  'menu_category.deleted': { when: 'a category is deleted', data: shapes.gone },
  'menu_product.created': { when: 'a product of the QR menu is created', data: shapes.menuProduct },
  'menu_product.updated': {
    when: 'a product changes or gets another place',
    data: shapes.menuProduct.extend({ changed }),
  },
  'menu_product.deleted': { when: 'a product is deleted', data: shapes.gone },
  'menu_desk.created': { when: 'a row of desks gets its codes', data: shapes.menuDesk },
  'menu_desk.updated': { when: 'a row of desks changes', data: shapes.menuDesk.extend({ changed }) },
  'menu_desk.deleted': { when: 'a row of desks is deleted', data: shapes.gone },
  'member.created': { when: 'an administrator joins the location', data: shapes.member },
  'member.updated': { when: 'the rights of an administrator change', data: shapes.member.extend({ changed }) },
  'member.deleted': {
    when: 'an administrator leaves the location',
    data: z.object({ user_id: id, location_id: id }),
  },
  'invitation.created': { when: 'an administrator is invited', data: shapes.invitation },
  'invitation.updated': {
    when: 'an invitation is accepted, denied, cancelled or sent again',
    data: shapes.invitation.extend({ changed }),
  },
  'invitation.deleted': { when: 'an invitation is deleted', data: shapes.gone },
  'role.created': { when: 'a role is created', data: shapes.role },
  'role.updated': { when: 'a role changes', data: shapes.role.extend({ changed }) },
  'role.deleted': { when: 'a role is deleted', data: shapes.goneShared },
  'role_adjustment.created': {
    when: 'a location changes the permissions of a role of the tenant',
    data: shapes.roleAdjustment,
  },
  'role_adjustment.updated': { when: 'it changes them again', data: shapes.roleAdjustment.extend({ changed }) },
  'role_adjustment.deleted': {
    when: 'it takes the permissions of the tenant again',
    data: z.object({ role_id: id, location_id: id }),
  },
  'audit.recorded': {
    when: 'the audit log gets an entry, such as a sign-in, an export or a look-up of “Who was it?”',
    data: z.object({
      ...here,
      location_id: maybe,
      user_id: maybe,
      verb: z.string(),
      subject_type: z.string(),
      subject_id: maybe,
      device_id: maybe,
    }),
  },
  'tenant.updated': {
    when: 'the brand or the rules of the tenant change',
    data: z.object({ ...tenantWide, id, slug: z.string(), brand_name: z.string(), changed }),
  },
  'user.created': { when: 'an account is created', data: shapes.user },
  'user.updated': { when: 'an account changes', data: shapes.user.extend({ changed }) },
  'user.deleted': { when: 'an account is deleted', data: z.object({ ...tenantWide, id }) },
  'domain.created': { when: 'a domain is added', data: shapes.domain },
  'domain.updated': { when: 'a domain is proven, or its proof is lost', data: shapes.domain.extend({ changed }) },
  'domain.deleted': { when: 'a domain is removed', data: z.object({ ...tenantWide, host: z.string() }) },
  'single_sign_on.created': { when: 'single sign-on is set up', data: shapes.sso },
  'single_sign_on.updated': { when: 'its settings change', data: shapes.sso.extend({ changed }) },
  'single_sign_on.deleted': { when: 'it is removed', data: z.object({ ...tenantWide, issuer: z.string() }) },
  'radius_proxy.created': { when: 'a RADIUS proxy is added', data: shapes.radiusProxy },
  'radius_proxy.updated': { when: 'a RADIUS proxy changes', data: shapes.radiusProxy.extend({ changed }) },
  'radius_proxy.deleted': { when: 'a RADIUS proxy is removed', data: z.object({ ...tenantWide, id }) },
  'unknown_device.seen': {
    when: 'a router that was not added sends RADIUS packets through a proxy of the tenant, or from the address of one of its devices; once a day for each router of a proxy and for each address',
    data: z.object({
      ...tenantWide,
      nas_identifier: z.string().nullable(),
      address: z.string(),
      packets: z.number(),
      /** The proxy that forwarded them. */
      proxy_id: maybe,
      /** The device that has proven this address. */
      device_id: maybe,
      first_at: time,
    }),
  },
  'mail.limit': {
    when: 'the mails of the tenant reach 80 or 100 % of the limit of a day',
    data: z.object({ ...tenantWide, percent: z.number(), used: z.number(), limit: z.number() }),
  },
  'clock.doubted': {
    when: 'the clock of the server is far from the last known time, so nothing is erased',
    data: z.object({ ...tenantWide, known: z.string(), now: z.string() }),
  },
} as const satisfies Record<WebhookEvent, About>;
