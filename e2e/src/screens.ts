import { guideSlugs } from '../../panel/src/features/guides/guide-slugs.ts';
import type { PanelWords } from './words.ts';

/** Ids in the addresses of screens. */
export interface Things {
  readonly location: string;
  readonly device: string;
  readonly portal: string;
  readonly survey: string;
  readonly visitor: string;
  readonly batch: string;
  readonly webhook: string;
  readonly import: string;
  readonly gateway: string;
  readonly hotel: string;
}

export interface Screen {
  readonly path: (things: Things) => string;
  /** Buttons to press in this order to open a dialog. */
  readonly press?: (words: PanelWords) => readonly string[];
  /** The buttons show something in the screen instead. */
  readonly inPlace?: true;
  /** Shows a list, which is also checked when it is empty. */
  readonly list?: true;
}

const at = (path: string): Screen => ({ path: () => path });
const list = (path: Screen['path'] | string): Screen => ({
  path: typeof path === 'string' ? () => path : path,
  list: true,
});

/** Every screen before sign-in. */
export const publicScreens = ['login', 'register', 'complete', 'forgot-password', 'reset-password'].map(
  name => `/auth/${name}`,
);

/** Every screen of the panel and its dialogs. Every screen that the menu or a tab links to must be listed. */
export const screens: readonly Screen[] = [
  list('/'),
  at('/?show=online'),
  at('/?show=failed'),
  list('/online'),
  list('/visitors'),
  { path: () => '/visitors', press: words => [words.addVisitor] },
  { path: () => '/visitors', press: words => [words.bulkAdd] },
  { path: () => '/visitors', press: words => [words.importCsv] },
  list('/visitors/import'),
  { path: it => `/visitors/import/${it.import}` },
  ...['', '/devices', '/sales', '/consents', '/failed-logins'].map(tab => ({
    path: (it: Things) => `/visitors/${it.visitor}${tab}`,
  })),
  { path: it => `/visitors/${it.visitor}`, press: words => [words.extend] },
  { path: it => `/visitors/${it.visitor}`, press: words => [words.move] },
  list('/consents'),
  list('/vouchers'),
  { path: () => '/vouchers', press: words => [words.addVouchers] },
  { path: () => '/vouchers', press: words => [words.voucherCard] },
  { path: () => '/vouchers', press: words => [words.receiptPrinters] },
  { path: () => '/vouchers', press: words => [words.receiptPrinters, words.addPrinter] },
  { path: it => `/vouchers/${it.batch}` },
  { path: it => `/vouchers/${it.batch}`, press: words => [words.extend] },
  { path: it => `/vouchers/${it.batch}`, press: words => [words.printVouchers] },
  list('/desk'),
  list('/packages'),
  { path: () => '/packages', press: words => [words.addPackage] },
  list('/packages/purchases'),
  list('/reports/mac-sessions'),
  list('/reports/sales-report'),
  list('/reports/session-history'),
  list('/reports/imported-sessions'),
  at('/reports/who-was-it'),
  list('/reports/mails'),
  { path: () => '/reports/mails', press: words => [words.addReportMail] },
  list('/devices'),
  { path: () => '/devices', press: words => [words.addDevice] },
  at('/devices?brand=sophos&status=online'),
  ...['MikroTik', 'Sophos', 'WatchGuard'].map(brand => ({
    path: () => '/devices',
    press: (words: PanelWords) => [words.addDevice, brand, words.next],
  })),
  ...['', '/networks', '/logs', '/macs', '/users', '/rules', '/license'].map(tab => ({
    path: (it: Things) => `/devices/${it.device}${tab}`,
  })),
  { path: it => `/devices/${it.device}/networks`, press: words => [words.network.add] },
  { path: it => `/devices/${it.device}/macs`, press: words => [words.control.add] },
  { path: it => `/devices/${it.device}/certificates` },
  { path: it => `/devices/${it.device}/certificates`, press: words => [words.radsec.issue] },
  { path: it => `/devices/${it.device}/macs`, press: words => [words.importMacs] },
  { path: it => `/devices/${it.device}/license`, press: words => [words.control.years(2)] },
  { path: it => `/devices/${it.device}/logs?live=1` },
  { path: it => `/devices/${it.device}/info`, press: words => [words.showSecret], inPlace: true },
  { path: it => `/devices/${it.device}/info`, press: words => [words.renew.button] },
  { path: it => `/devices/${it.device}`, press: words => [words.doctor.examine], inPlace: true },
  { path: it => `/devices/${it.device}/edit` },
  { path: it => `/guides/mikrotik?device=${it.device}` },
  ...guideSlugs.map(slug => at(`/guides/${slug}`)),
  list('/portals'),
  { path: () => '/portals', press: words => [words.addPortal] },
  ...['', '/blocks', '/sign-in-methods', '/surveys', '/rules', '/advertisements', '/advanced'].map(tab => ({
    path: (it: Things) => `/portals/${it.portal}/edit${tab}`,
  })),
  { path: it => `/portals/${it.portal}/edit/surveys?results=${it.survey}` },
  { path: it => `/portals/${it.portal}/edit/surveys`, press: words => [words.addSurvey], inPlace: true },
  { path: it => `/portals/${it.portal}/edit/rules`, press: words => [words.addRule] },
  { path: it => `/portals/${it.portal}/edit/advertisements`, press: words => [words.addAdvertisement] },
  { path: it => `/portals/${it.portal}/edit`, press: words => [words.history] },
  { path: it => `/portals/${it.portal}/edit`, press: words => [words.chooseTemplate] },
  { path: it => `/portals/${it.portal}/edit`, press: words => [words.addLanguage] },
  list('/locations'),
  { path: () => '/locations', press: words => [words.addLocation] },
  { path: it => `/locations/${it.location}/edit` },
  { path: it => `/locations/${it.location}/edit/sessions` },
  list(it => `/locations/${it.location}/edit/user-profiles`),
  { path: it => `/locations/${it.location}/edit/user-profiles`, press: words => [words.addProfile] },
  list(it => `/locations/${it.location}/edit/users`),
  { path: it => `/locations/${it.location}/edit/users`, press: words => [words.addAdministrator] },
  at('/account/settings'),
  at('/account/security'),
  at('/account/notifications'),
  at('/account/tokens'),
  { path: () => '/account/tokens', press: words => [words.addToken] },
  list('/notifications'),
  ...['', '?step=1', '?step=2&brand=mikrotik', '?step=2&brand=watchguard'].map(step => at(`/onboarding/device${step}`)),
  { path: it => `/onboarding/device?step=4&brand=mikrotik&device=${it.device}` },
  at('/onboarding/portal'),
  at('/onboarding/security'),
  at('/onboarding/subscribe'),
  at('/onboarding/subscribe/payment?year=2'),
  list('/integrations'),
  { path: () => '/integrations', press: words => [words.addIntegration] },
  { path: it => `/integrations/${it.webhook}/edit` },
  { path: it => `/integrations/${it.webhook}/edit/deliveries` },
  { path: it => `/integrations/${it.webhook}/edit/deliveries`, press: words => [words.resendFailed] },
  { path: it => `/integrations/${it.gateway}/edit` },
  { path: it => `/integrations/${it.gateway}/edit/messages` },
  { path: it => `/integrations/${it.hotel}/edit` },
  { path: it => `/integrations/${it.hotel}/edit/charges` },
  at('/qrmenu'),
  list('/qrmenu/categories'),
  list('/qrmenu/products'),
  list('/qrmenu/desks'),
  { path: () => '/qrmenu/products', press: words => [words.addProduct] },
  { path: () => '/qrmenu/products', press: words => [words.arrange] },
  { path: () => '/qrmenu/desks', press: words => [words.qrCodes] },
  { path: () => '/qrmenu/categories', press: words => [words.addCategory] },
  { path: () => '/qrmenu/desks', press: words => [words.addTables] },
  list('/admin'),
  list('/admin/overview'),
  { path: () => '/admin', press: words => [words.addCustomer] },
  ...['', '&tab=portal-edit', '&tab=providers-edit', '&tab=settings-license'].map(tab => ({
    path: (it: Things) => `/admin?customer=${it.location}${tab}`,
  })),
  at('/settings'),
  at('/settings/roles'),
  { path: () => '/settings/roles', press: words => [words.addRole] },
  at('/settings/sso'),
  { path: () => '/settings/sso/accounts', list: true },
  at('/settings/domains'),
  { path: () => '/settings/domains', press: words => [words.addDomain] },
  list('/settings/radius-proxies'),
  { path: () => '/settings/radius-proxies', press: words => [words.addRadiusProxy] },
  at('/settings/users'),
  { path: () => '/settings/users', press: words => [words.addAdministrator] },
  list('/settings/licences'),
  at('/settings/audit'),
];
