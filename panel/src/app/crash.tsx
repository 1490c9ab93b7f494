import type { ErrorComponentProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#lib/client.ts';
import { ErrorState } from '#ui/error-state.tsx';
import { LoadError } from '#ui/load-error.tsx';

/** Replaces a screen that threw or could not be loaded. The rest of the panel stays usable. */
export function Crash({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  if (error instanceof ApiError) return <LoadError error={error} onRetry={reset} />;
  return <ErrorState title={t('error.crashTitle')} text={t('error.crashText')} onRetry={() => location.reload()} />;
}
