import type { Api } from './api.ts';

/** The groups of the documentation, in the order that a reader needs them: one for each part of the contract. */
export const tags: Readonly<Record<keyof Api, { readonly title: string; readonly about: string }>> = {
  auth: {
    title: 'Sign-in and account',
    about:
      'Sign in for a token, and change the account of the caller: password, e-mail address, second factor, active team.',
  },
  tokens: {
    title: 'Personal access tokens',
    about: 'Tokens for your own software. Each has some permissions, perhaps one location, and its own limit of calls.',
  },
  passkeys: { title: 'Passkeys', about: 'Passkeys of the caller, for signing in without a password.' },
  sso: {
    title: 'Single sign-on',
    about:
      'Sign-in through the identity provider of the tenant (OpenID Connect): its settings, and the accounts linked to it.',
  },
  locations: { title: 'Locations', about: 'Venues. Everything else belongs to a location.' },
  customers: {
    title: 'Customers',
    about: 'Locations as a reseller sees them: status, licences, suspension, transfer.',
  },
  licencePayments: {
    title: 'Licences paid online',
    about: 'The price of licences, payments of customers and refunds.',
  },
  licences: { title: 'Licence requests', about: 'Ask the administrators of the tenant for a licence.' },
  team: { title: 'Team', about: 'The administrators of a location and their invitations.' },
  locationRoles: { title: 'Roles of a location', about: 'Named sets of permissions that a location offers.' },
  devices: {
    title: 'Devices',
    about:
      'Routers: connection, guest networks, MAC rules, commands, certificates and setup scripts. The paths below `/v1/device` are for routers.',
  },
  radiusProxies: {
    title: 'RADIUS proxies',
    about: 'RADIUS servers between routers and this one that may speak for devices of some locations.',
  },
  unknownDevices: {
    title: 'Unknown devices',
    about: 'Routers that send RADIUS packets but were not added, as far as they can be tied to the caller.',
  },
  logs: { title: 'Log files', about: 'The legal record of a device, its figures and its last lines.' },
  logSources: { title: 'Log sources', about: 'The addresses from which the log lines of a device are accepted.' },
  portals: {
    title: 'Portals',
    about: "The guests' pages with their drafts, versions, advertisements, redirect rules and surveys.",
  },
  qrMenu: { title: 'QR menus', about: 'Categories, products and numbered tables with QR codes.' },
  profiles: { title: 'Session profiles', about: 'Limits on time, speed, data and devices.' },
  visitors: { title: 'Visitors', about: 'Accounts of guests.' },
  visitorChanges: { title: 'Changes of visitors', about: 'Extend, pause, resume and move a visitor.' },
  visitorImport: { title: 'Import of visitors', about: 'Visitors from a CSV file: all lines, or none.' },
  imports: {
    title: 'Import from other programs',
    about:
      'Visitors from FreeRADIUS, daloRADIUS, RADIUSdesk, MikroTik User Manager and UniFi: upload a file, read the report, start.',
  },
  visitorSelection: { title: 'Selections of visitors', about: 'One change of many visitors at once.' },
  visitorPage: {
    title: 'History of a visitor',
    about: 'Sessions, guest devices, sales, agreements and failed sign-ins.',
  },
  consents: {
    title: 'Consents to marketing',
    about: 'Guests who allowed news and offers by e-mail, SMS or phone call, with the sentence that they saw.',
  },
  vouchers: { title: 'Vouchers', about: 'Batches of single codes that guests sign in with: print, revoke, extend.' },
  printers: { title: 'Receipt printers', about: 'Printers at the desk that print vouchers.' },
  sessions: { title: 'Sessions', about: 'Online guests, past sessions, failed sign-ins; ending a session.' },
  roomCharges: { title: 'Room charges', about: 'Charges to the bills of hotel rooms, and their state.' },
  packages: {
    title: 'Packages',
    about: 'Packages that guests can buy on the portal: a session profile, a price per day, and tax.',
  },
  purchases: { title: 'Purchases', about: 'Purchases of guests on the portal, and refunds.' },
  sales: { title: 'Sales', about: 'Sold days and their reversals.' },
  reports: { title: 'Sales figures', about: 'Totals of sales by day, week, month and year.' },
  reportMails: { title: 'Mailed reports', about: 'Reports that are sent by mail every week or month.' },
  statistics: { title: 'Statistics', about: 'The figures of the dashboard.' },
  identity: {
    title: 'Who was it',
    about: 'Find the guest behind an address at a time. Each search is in the audit log.',
  },
  integrations: {
    title: 'Integrations',
    about: 'Hotel databases, SMS gateways, webhooks, mail servers and OpenID providers. See the guide for webhooks.',
  },
  noticeChoices: {
    title: 'Choices of notifications',
    about:
      'How the caller is notified of each kind, in general and per location: panel, browsers, mail at once, daily mail, off.',
  },
  notifications: { title: 'Notifications', about: 'Notifications of the caller.' },
  push: {
    title: 'Notifications in browsers',
    about: 'Browsers that show the caller’s notifications though the panel is closed (Web Push).',
  },
  savedViews: {
    title: 'Saved views',
    about: 'Filters, order and columns of a list under a name, for one user or shared.',
  },
  search: { title: 'Search', about: 'One search over everything that the caller may see.' },
  audit: { title: 'Audit log', about: 'Every change: user, object and time.' },
  tenants: { title: 'Tenant', about: 'Settings, pictures and host names of the tenant.' },
  tenantUsers: { title: 'Users of the tenant', about: 'Tenant administrators, resellers and auditors.' },
  tenantRoles: { title: 'Roles of the tenant', about: 'Roles that every location offers.' },
};
