import type { Api } from '@portico/contract/api.ts';
import { auditRoutes } from '#features/audit/audit.routes.ts';
import { authRoutes } from '#features/auth/auth.routes.ts';
import { passkeysRoutes } from '#features/auth/passkeys.routes.ts';
import { ssoRoutes } from '#features/auth/sso/sso.routes.ts';
import { tokensRoutes } from '#features/auth/tokens.routes.ts';
import { consentsRoutes } from '#features/consents/consents.routes.ts';
import { customersRoutes } from '#features/customers/customers.routes.ts';
import { devicesRoutes } from '#features/devices/devices.routes.ts';
import { identityRoutes } from '#features/identity/identity.routes.ts';
import { importsRoutes } from '#features/imports/imports.routes.ts';
import { integrationsRoutes } from '#features/integrations/integrations.routes.ts';
import { licencePaymentsRoutes } from '#features/licences/licence-payments.routes.ts';
import { licencesRoutes } from '#features/licences/licences.routes.ts';
import { locationsRoutes } from '#features/locations/locations.routes.ts';
import { logSourcesRoutes } from '#features/log-sources/log-sources.routes.ts';
import { logsRoutes } from '#features/logs/logs.routes.ts';
import { choicesRoutes } from '#features/notifications/choices.routes.ts';
import { notificationsRoutes } from '#features/notifications/notifications.routes.ts';
import { pushRoutes } from '#features/notifications/push.routes.ts';
import { packagesRoutes } from '#features/packages/packages.routes.ts';
import { purchasesRoutes } from '#features/packages/purchases.routes.ts';
import { portalsRoutes } from '#features/portals/portals.routes.ts';
import { printersRoutes } from '#features/printers/printers.routes.ts';
import { profilesRoutes } from '#features/profiles/profiles.routes.ts';
import { qrMenuRoutes } from '#features/qr-menu/qr-menu.routes.ts';
import { radiusProxiesRoutes } from '#features/radius-proxies/radius-proxies.routes.ts';
import { reportMailsRoutes } from '#features/report-mails/report-mails.routes.ts';
import { reportsRoutes } from '#features/reports/reports.routes.ts';
import { roomChargesRoutes } from '#features/room-charges/room-charges.routes.ts';
import { savedViewsRoutes } from '#features/saved-views/saved-views.routes.ts';
import { searchRoutes } from '#features/search/search.routes.ts';
import { sessionsRoutes } from '#features/sessions/sessions.routes.ts';
import { statisticsRoutes } from '#features/statistics/statistics.routes.ts';
import { locationRolesRoutes, tenantRolesRoutes } from '#features/team/roles.routes.ts';
import { teamRoutes } from '#features/team/team.routes.ts';
import { tenantUsersRoutes } from '#features/tenant-users/tenant-users.routes.ts';
import { tenantsRoutes } from '#features/tenants/tenants.routes.ts';
import { unknownDevicesRoutes } from '#features/unknown-devices/unknown-devices.routes.ts';
import { salesRoutes } from '#features/visitors/sales.routes.ts';
import { visitorChangesRoutes } from '#features/visitors/visitor-changes.routes.ts';
import { visitorImportRoutes } from '#features/visitors/visitor-import.routes.ts';
import { visitorPageRoutes } from '#features/visitors/visitor-page.routes.ts';
import { visitorSelectionRoutes } from '#features/visitors/visitor-selection.routes.ts';
import { visitorsRoutes } from '#features/visitors/visitors.routes.ts';
import { vouchersRoutes } from '#features/vouchers/vouchers.routes.ts';
import type { Handlers } from '#http/call.ts';

/** The handlers of each endpoint. */
export const routes: Handlers<Api> = {
  audit: auditRoutes,
  auth: authRoutes,
  consents: consentsRoutes,
  customers: customersRoutes,
  devices: devicesRoutes,
  identity: identityRoutes,
  integrations: integrationsRoutes,
  licencePayments: licencePaymentsRoutes,
  licences: licencesRoutes,
  locationRoles: locationRolesRoutes,
  locations: locationsRoutes,
  logs: logsRoutes,
  logSources: logSourcesRoutes,
  noticeChoices: choicesRoutes,
  notifications: notificationsRoutes,
  packages: packagesRoutes,
  purchases: purchasesRoutes,
  portals: portalsRoutes,
  profiles: profilesRoutes,
  push: pushRoutes,
  qrMenu: qrMenuRoutes,
  radiusProxies: radiusProxiesRoutes,
  reportMails: reportMailsRoutes,
  reports: reportsRoutes,
  roomCharges: roomChargesRoutes,
  sales: salesRoutes,
  savedViews: savedViewsRoutes,
  search: searchRoutes,
  sessions: sessionsRoutes,
  sso: ssoRoutes,
  statistics: statisticsRoutes,
  team: teamRoutes,
  tenantRoles: tenantRolesRoutes,
  tenants: tenantsRoutes,
  tenantUsers: tenantUsersRoutes,
  unknownDevices: unknownDevicesRoutes,
  visitorChanges: visitorChangesRoutes,
  visitorImport: visitorImportRoutes,
  imports: importsRoutes,
  visitorPage: visitorPageRoutes,
  visitorSelection: visitorSelectionRoutes,
  tokens: tokensRoutes,
  passkeys: passkeysRoutes,
  visitors: visitorsRoutes,
  vouchers: vouchersRoutes,
  printers: printersRoutes,
};
