import { createRoute } from '@tanstack/react-router';
import type onboarding from '#features/onboarding/onboarding.en.json';
import { lazyScreen } from '#lib/chunk.ts';
import { guard } from '#lib/guard.ts';
import { loadTexts } from '#lib/i18n.ts';
import { rootRoute } from '#lib/routes.ts';

declare module '#lib/texts.ts' {
  interface Texts {
    onboarding: typeof onboarding;
  }
}

/** Screens without the panel's menu, whose entries would all be empty. */
const frame = createRoute({
  getParentRoute: () => rootRoute,
  id: 'onboarding',
  beforeLoad: guard,
  loader: () => loadTexts('onboarding', 'shell'),
  component: lazyScreen(() => import('#features/onboarding/onboarding-frame.tsx'), 'OnboardingFrame'),
});
const getParentRoute = () => frame;

export const onboardingRoutes = frame.addChildren([
  createRoute({
    getParentRoute,
    path: '/onboarding/device',
    loader: () => loadTexts('devices', 'profiles', 'portals', 'portal-editor'),
    component: lazyScreen(() => import('#features/onboarding/device-wizard-page.tsx'), 'DeviceWizardPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/onboarding/portal',
    loader: () => loadTexts('portals', 'portal-editor'),
    component: lazyScreen(() => import('#features/onboarding/portal-wizard-page.tsx'), 'PortalWizardPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/onboarding/security',
    loader: () => loadTexts('account'),
    component: lazyScreen(() => import('#features/onboarding/security-page.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/onboarding/subscribe',
    component: lazyScreen(() => import('#features/onboarding/subscribe-page.tsx'), 'SubscribePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/onboarding/subscribe/payment',
    component: lazyScreen(() => import('#features/onboarding/payment-page.tsx'), 'PaymentPage'),
  }),
]);
