import { createRoute, redirect } from '@tanstack/react-router';
import type account from '#features/account/account.en.json';
import type noticeChoices from '#features/account/notice-choices.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    account: typeof account;
    'notice-choices': typeof noticeChoices;
  }
}

const loader = () => loadTexts('account');

export const accountRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account',
    beforeLoad: () => {
      throw redirect({ to: '/account/settings', replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/settings',
    loader,
    component: lazyScreen(() => import('#features/account/account-settings-page.tsx'), 'AccountSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/security',
    loader,
    component: lazyScreen(() => import('#features/account/account-security-page.tsx'), 'AccountSecurityPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/notifications',
    loader: () => loadTexts('account', 'notice-choices'),
    component: lazyScreen(() => import('#features/account/notice-choices-page.tsx'), 'NoticeChoicesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/tokens',
    loader,
    component: lazyScreen(() => import('#features/account/tokens-page.tsx'), 'TokensPage'),
  }),
] as const;
