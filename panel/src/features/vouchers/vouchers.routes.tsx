import { createRoute } from '@tanstack/react-router';
import type vouchers from '#features/vouchers/vouchers.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { loadTexts } from '#lib/i18n.ts';
import { shellRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    vouchers: typeof vouchers;
  }
}

const loader = () => loadTexts('vouchers', 'limit');

export const voucherRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/vouchers',
    staticData: { access: 'view-vouchers' },
    loader: () => loadTexts('vouchers', 'limit', 'table'),
    component: lazyScreen(() => import('#features/vouchers/vouchers-page.tsx'), 'VouchersPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/vouchers/$batchId',
    staticData: { access: 'view-vouchers' },
    loader: () => loadTexts('vouchers', 'limit', 'table'),
    component: lazyScreen(() => import('#features/vouchers/batch-page.tsx'), 'BatchPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/desk',
    staticData: { access: 'store-vouchers' },
    loader,
    component: lazyScreen(() => import('#features/vouchers/desk-page.tsx'), 'DeskPage'),
  }),
] as const;
