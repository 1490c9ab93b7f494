import { language } from '#lib/language.ts';

/** The page of the manual for each part of the panel. The longest beginning of the address counts. */
export const helpPages = {
  '/': 'reports',
  '/online': 'sessions',
  '/visitors': 'visitors',
  '/visitors/import': 'import',
  '/consents': 'privacy',
  '/vouchers': 'vouchers',
  '/desk': 'vouchers',
  '/packages': 'paid-access',
  '/reports': 'reports',
  '/reports/mac-sessions': 'sessions',
  '/reports/session-history': 'sessions',
  '/reports/imported-sessions': 'import',
  '/reports/who-was-it': 'legal-record',
  '/devices': 'devices',
  '/portals': 'portals',
  '/admin/portals': 'portals',
  '/integrations': 'integrations',
  '/qrmenu': 'qr-menu',
  '/admin': 'customers',
  '/locations': 'locations',
  '/settings': 'team',
  '/settings/sso': 'single-sign-on',
  '/settings/licences': 'licences',
  '/settings/radius-proxies': 'devices',
  '/account': 'account',
  '/notifications': 'account',
  '/onboarding': 'first-router',
  '/onboarding/security': 'account',
  '/onboarding/subscribe': 'licences',
} as const satisfies Record<string, string>;

const prefixes = Object.entries(helpPages).sort(([a], [b]) => b.length - a.length);

/** Tabs that have a page of their own, by the end of their address. */
const tabs: readonly [end: string, page: string][] = [
  ['/logs', 'legal-record'],
  ['/license', 'licences'],
  ['/user-profiles', 'profiles'],
  ['/edit/users', 'team'],
];
/** Tabs that are named in the query of an address. */
const named: Readonly<Record<string, string>> = {
  '/admin settings-license': 'licences',
  '/admin settings-devices': 'devices',
  '/admin portal-edit': 'portals',
  '/admin providers-edit': 'portals',
};

/** The address of the manual’s page about a screen, in the language of the panel. `open`: the tab that the address names. */
export function helpAddress(path: string, open?: string): string {
  const guide = /^\/guides\/([a-z-]+)/.exec(path)?.[1];
  const tab = named[`${path} ${open}`] ?? tabs.find(([end]) => path.endsWith(end))?.[1];
  const page = guide ?? tab ?? prefixes.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1] ?? '';
  return `/help/${language() === 'tr' ? 'tr/' : ''}${page}`;
}
