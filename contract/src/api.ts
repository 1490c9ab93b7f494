import { auditApi } from './audit.ts';
import { authApi } from './auth.ts';
import { consentsApi } from './consents.ts';
import { customersApi } from './customers.ts';
import { devicesApi } from './devices.ts';
import { identityApi } from './identity.ts';
import { importsApi } from './imports.ts';
import { integrationsApi } from './integrations.ts';
import { licencePaymentsApi } from './licence-payments.ts';
import { licencesApi } from './licences.ts';
import { locationsApi } from './locations.ts';
import { logSourcesApi } from './log-sources.ts';
import { logsApi } from './logs.ts';
import { noticeChoicesApi } from './notice-choices.ts';
import { notificationsApi } from './notifications.ts';
import { packagesApi } from './packages.ts';
import { passkeysApi } from './passkeys.ts';
import { portalsApi } from './portals.ts';
import { printersApi } from './printers.ts';
import { profilesApi } from './profiles.ts';
import { purchasesApi } from './purchases.ts';
import { pushApi } from './push.ts';
import { qrMenuApi } from './qr-menu.ts';
import { radiusProxiesApi } from './radius-proxies.ts';
import { reportMailsApi } from './report-mails.ts';
import { reportsApi } from './reports.ts';
import { locationRolesApi, tenantRolesApi } from './roles.ts';
import { roomChargesApi } from './room-charges.ts';
import { salesApi } from './sales.ts';
import { savedViewsApi } from './saved-views.ts';
import { searchApi } from './search.ts';
import { sessionsApi } from './sessions.ts';
import { ssoApi } from './sso.ts';
import { statisticsApi } from './statistics.ts';
import { teamApi } from './team.ts';
import { tenantsApi, tenantUsersApi } from './tenants.ts';
import { tokensApi } from './tokens.ts';
import { unknownDevicesApi } from './unknown-devices.ts';
import { visitorChangesApi } from './visitor-changes.ts';
import { visitorImportApi } from './visitor-import.ts';
import { visitorPageApi } from './visitor-page.ts';
import { visitorSelectionApi } from './visitor-selection.ts';
import { visitorsApi } from './visitors.ts';
import { vouchersApi } from './vouchers.ts';

/** Every endpoint of the product, by feature. */
export const api = {
  audit: auditApi,
  auth: authApi,
  consents: consentsApi,
  customers: customersApi,
  devices: devicesApi,
  identity: identityApi,
  integrations: integrationsApi,
  licencePayments: licencePaymentsApi,
  licences: licencesApi,
  locationRoles: locationRolesApi,
  locations: locationsApi,
  logs: logsApi,
  logSources: logSourcesApi,
  noticeChoices: noticeChoicesApi,
  notifications: notificationsApi,
  packages: packagesApi,
  portals: portalsApi,
  profiles: profilesApi,
  purchases: purchasesApi,
  push: pushApi,
  qrMenu: qrMenuApi,
  radiusProxies: radiusProxiesApi,
  reportMails: reportMailsApi,
  reports: reportsApi,
  roomCharges: roomChargesApi,
  sales: salesApi,
  savedViews: savedViewsApi,
  search: searchApi,
  sessions: sessionsApi,
  sso: ssoApi,
  statistics: statisticsApi,
  team: teamApi,
  tenantRoles: tenantRolesApi,
  tenants: tenantsApi,
  tenantUsers: tenantUsersApi,
  tokens: tokensApi,
  passkeys: passkeysApi,
  unknownDevices: unknownDevicesApi,
  visitorChanges: visitorChangesApi,
  visitorImport: visitorImportApi,
  imports: importsApi,
  visitorPage: visitorPageApi,
  visitorSelection: visitorSelectionApi,
  visitors: visitorsApi,
  vouchers: vouchersApi,
  printers: printersApi,
} as const;
export type Api = typeof api;
