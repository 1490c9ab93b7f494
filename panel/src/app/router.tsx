import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { Crash } from '#app/crash.tsx';
import { NotFound } from '#app/not-found.tsx';
import { PageLoading } from '#app/page-loading.tsx';
import { Shell } from '#app/shell.tsx';
import { accountRoutes } from '#features/account/account.routes.tsx';
import { auditRoutes } from '#features/audit/audit.routes.tsx';
import { consentRoutes } from '#features/consents/consents.routes.tsx';
import { customerRoutes } from '#features/customers/customers.routes.tsx';
import { dashboardRoutes } from '#features/dashboard/dashboard.routes.tsx';
import { deviceRoutes } from '#features/devices/devices.routes.tsx';
import { guideRoutes } from '#features/guides/guides.routes.tsx';
import { identityRoutes } from '#features/identity/identity.routes.tsx';
import { importRoutes } from '#features/imports/imports.routes.tsx';
import { integrationRoutes } from '#features/integrations/integrations.routes.tsx';
import { licenceRoutes } from '#features/licences/licences.routes.tsx';
import { locationRoutes } from '#features/locations/locations.routes.tsx';
import { notificationRoutes } from '#features/notifications/notifications.routes.tsx';
import { onboardingRoutes } from '#features/onboarding/onboarding.routes.tsx';
import { packageRoutes } from '#features/packages/packages.routes.tsx';
import { portalRoutes } from '#features/portals/portals.routes.tsx';
import { profileRoutes } from '#features/profiles/profiles.routes.tsx';
import { qrMenuRoutes } from '#features/qr-menu/qr-menu.routes.tsx';
import { radiusProxyRoutes } from '#features/radius-proxies/radius-proxies.routes.tsx';
import { reportMailRoutes } from '#features/report-mails/report-mails.routes.tsx';
import { reportRoutes } from '#features/reports/reports.routes.tsx';
import { sessionRoutes } from '#features/sessions/sessions.routes.tsx';
import { ssoRoutes } from '#features/sso/sso.routes.tsx';
import { teamRoutes } from '#features/team/team.routes.tsx';
import { tenantRoutes } from '#features/tenants/tenants.routes.tsx';
import { visitorRoutes } from '#features/visitors/visitors.routes.tsx';
import { voucherRoutes } from '#features/vouchers/vouchers.routes.tsx';
import { refreshUser } from '#lib/guard.ts';
import { rootRoute, shellRoute } from '#lib/routes.ts';
import { parseSearch, stringifySearch } from '#lib/search.ts';

rootRoute.update({ notFoundComponent: NotFound, errorComponent: Crash });
shellRoute.update({ component: Shell });

const routeTree = rootRoute.addChildren([
  shellRoute.addChildren([
    ...dashboardRoutes,
    ...sessionRoutes,
    ...reportRoutes,
    ...identityRoutes,
    ...reportMailRoutes,
    ...visitorRoutes,
    ...importRoutes,
    ...consentRoutes,
    ...voucherRoutes,
    ...packageRoutes,
    ...deviceRoutes,
    ...guideRoutes,
    ...portalRoutes,
    ...qrMenuRoutes,
    ...integrationRoutes,
    ...customerRoutes,
    ...locationRoutes,
    ...profileRoutes,
    ...teamRoutes,
    ...accountRoutes,
    ...notificationRoutes,
    ...tenantRoutes,
    ...ssoRoutes,
    ...radiusProxyRoutes,
    ...licenceRoutes,
    ...auditRoutes,
  ]),
  onboardingRoutes,
]);

/** A link that appears under a pointer that rests is no intent to open it: the first view would load a second screen. */
let pointed = false;
for (const input of ['pointermove', 'touchstart', 'keydown'])
  addEventListener(
    input,
    () => {
      pointed = true;
    },
    { once: true, passive: true },
  );

export function makeRouter(queries: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultErrorComponent: Crash,
    defaultPendingComponent: PageLoading,
    defaultPendingMs: 300,
    scrollRestoration: true,
  });
  const preload = router.preloadRoute;
  router.preloadRoute = options => (pointed ? preload(options) : Promise.resolve(undefined));
  router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
    if (hrefChanged) void refreshUser(queries);
  });
  return router;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
