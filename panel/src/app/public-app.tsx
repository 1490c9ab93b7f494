import { lazy, Suspense, useSyncExternalStore } from 'react';
import { isPublicPath, type PublicPath } from '#app/public-paths.ts';
import { LoginPage } from '#features/auth/login-page.tsx';
import { onPathChange } from '#lib/public-navigation.ts';

const RegisterPage = lazy(async () => ({ default: (await import('#features/auth/register-page.tsx')).RegisterPage }));
const CompletePage = lazy(async () => ({ default: (await import('#features/auth/complete-page.tsx')).CompletePage }));

const path = (): PublicPath => (isPublicPath(location.pathname) ? location.pathname : '/auth/login');

/** The screens that need no sign-in. */
export function PublicApp({ onSignedIn }: { onSignedIn: () => void }) {
  const shown = useSyncExternalStore(onPathChange, path);
  return (
    <Suspense fallback={null}>
      {shown === '/auth/register' && <RegisterPage />}
      {shown === '/auth/complete' && <CompletePage />}
      {shown === '/auth/login' && <LoginPage onSignedIn={onSignedIn} />}
    </Suspense>
  );
}
