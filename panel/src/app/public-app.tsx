import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isPublicPath, mailLink } from '#app/public-paths.ts';
import { LoginPage } from '#features/auth/login-page.tsx';
import { onPathChange } from '#lib/public-navigation.ts';

const RegisterPage = lazy(async () => ({ default: (await import('#features/auth/register-page.tsx')).RegisterPage }));
const CompletePage = lazy(async () => ({ default: (await import('#features/auth/complete-page.tsx')).CompletePage }));
const ForgotPage = lazy(async () => ({ default: (await import('#features/auth/forgot-page.tsx')).ForgotPage }));
const ResetPage = lazy(async () => ({ default: (await import('#features/auth/reset-page.tsx')).ResetPage }));
const Toasts = lazy(async () => ({ default: (await import('#ui/toasts.tsx')).Toasts }));
const InvitationPage = lazy(async () => ({
  default: (await import('#features/auth/invitation-page.tsx')).InvitationPage,
}));
const ConfirmEmailPage = lazy(async () => ({
  default: (await import('#features/auth/confirm-email-page.tsx')).ConfirmEmailPage,
}));

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
    case '/auth/login':
      return <LoginPage onSignedIn={onSignedIn} />;
  }
}
