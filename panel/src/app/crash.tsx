import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#lib/client.ts';
import { Unreachable, useIsConnected } from '#lib/connection.ts';
import { ErrorState } from '#ui/error-state.tsx';
import { LoadError } from '#ui/load-error.tsx';

/**
 * Replaces a screen that threw or could not be loaded. The rest of the panel stays usable. A screen that was not loaded
 * because the server cannot be reached opens when it can.
 */
export function Crash({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation(['common', 'shell']);
  const isConnected = useIsConnected();
  const isUnreachable = error instanceof Unreachable;
  useEffect(() => {
    if (isUnreachable && isConnected) location.reload();
  }, [isUnreachable, isConnected]);
  if (isUnreachable) return <ErrorState text={t('shell:opensLater')} screen />;
  if (error instanceof ApiError)
    return <LoadError error={error} onRetry={reset} parent={{ to: '/', label: t('shell:nav.dashboard') }} />;
  return (
    <ErrorState title={t('error.crashTitle')} text={t('error.crashText')} onRetry={() => location.reload()} screen />
  );
}
