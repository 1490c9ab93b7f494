import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isPublicPath, mailLink } from '#app/public-paths.ts';
import { LoginPage } from '#features/auth/login-page.tsx';
import { onPathChange } from '#lib/public-navigation.ts';

const RegisterPage = lazy(() => import('#features/auth/register-page.tsx').then(it => ({ default: it.RegisterPage })));
const CompletePage = lazy(() => import('#features/auth/complete-page.tsx').then(it => ({ default: it.CompletePage })));
const ForgotPage = lazy(() => import('#features/auth/forgot-page.tsx').then(it => ({ default: it.ForgotPage })));
const ResetPage = lazy(() => import('#features/auth/reset-page.tsx').then(it => ({ default: it.ResetPage })));
const SsoReturnPage = lazy(() =>
  import('#features/auth/sso-return-page.tsx').then(it => ({ default: it.SsoReturnPage })),
);
const Toasts = lazy(() => import('#ui/toasts.tsx').then(it => ({ default: it.Toasts })));
const InvitationPage = lazy(() =>
  import('#features/auth/invitation-page.tsx').then(it => ({ default: it.InvitationPage })),
);
const ConfirmEmailPage = lazy(() =>
  import('#features/auth/confirm-email-page.tsx').then(it => ({ default: it.ConfirmEmailPage })),
);

const path = () => location.pathname;

/** The screens that need no sign-in. */
export function PublicApp({ onSignedIn }: { onSignedIn: (home: string) => void }) {
  const shown = useSyncExternalStore(onPathChange, path);
  return (
    <>
      <Suspense fallback={null}>
        <Screen shown={shown} onSignedIn={onSignedIn} />
      </Suspense>
      <Suspense fallback={null}>
        <Toasts />
      </Suspense>
    </>
  );
}

function Screen({ shown, onSignedIn }: { shown: string; onSignedIn: (home: string) => void }) {
  const link = mailLink(shown);
  if (link?.page === 'invitation') return <InvitationPage token={link.token} />;
  if (link) return <ConfirmEmailPage token={link.token} />;
  switch (isPublicPath(shown) ? shown : '/auth/login') {
    case '/auth/register':
      return <RegisterPage />;
    case '/auth/complete':
      return <CompletePage />;
    case '/auth/forgot-password':
      return <ForgotPage />;
    case '/auth/reset-password':
      return <ResetPage />;
    case '/auth/sso':
      return <SsoReturnPage onSignedIn={onSignedIn} />;
    case '/auth/login':
      return <LoginPage onSignedIn={onSignedIn} />;
  }
}
