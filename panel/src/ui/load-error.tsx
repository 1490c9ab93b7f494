import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#lib/client.ts';
import { ErrorState } from '#ui/error-state.tsx';
import { NoPermission } from '#ui/no-permission.tsx';

/** Replaces the data of a failed query: not found, not allowed, or an error with a button to try again. */
export function LoadError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  // A link may have opened the screen in a new tab.
  const back = () => (router.history.canGoBack() ? router.history.back() : void router.navigate({ to: '/' }));
  if (!(error instanceof ApiError)) return <ErrorState text={t('error.unreachable')} onRetry={onRetry} />;
  if (error.status === 403) return <NoPermission />;
  if (error.status === 404)
    return <ErrorState title={t('error.notFoundTitle')} text={t('error.notFoundText')} onBack={back} />;
  return <ErrorState text={error.message} onRetry={onRetry} />;
}
