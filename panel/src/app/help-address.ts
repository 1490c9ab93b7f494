import { language } from '#lib/language.ts';

/** The page of the manual for each part of the panel. The longest beginning of the address counts. */
export const helpPages = {
  '/': 'reports',
  '/online': 'sessions',
  '/visitors': 'visitors',
  '/visitors/import': 'import',
  '/vouchers': 'vouchers',
  '/desk': 'vouchers',
  '/packages': 'paid-access',
  '/reports': 'reports',
  '/reports/session-history': 'sessions',
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
  '/settings/audit': 'legal-record',
  '/account': 'account',
  '/notifications': 'account',
  '/onboarding': 'first-router',
  '/onboarding/subscribe': 'licences',
} as const satisfies Record<string, string>;

const prefixes = Object.entries(helpPages).sort(([a], [b]) => b.length - a.length);

/** The address of the manual’s page about a screen, in the language of the panel. */
export function helpAddress(path: string): string {
  const guide = /^\/guides\/([a-z-]+)/.exec(path)?.[1];
  const tail =
    guide ?? (path.endsWith('/license') ? 'licences' : path.endsWith('/user-profiles') ? 'profiles' : undefined);
  const page = tail ?? prefixes.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1] ?? '';
  return `/help/${language() === 'tr' ? 'tr/' : ''}${page}`;
}
