import { Navigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { toastError } from '#lib/toast.ts';

/** An unknown address leads to the dashboard with a message (document 1, section 2.1). */
export function NotFound() {
  const { t } = useTranslation();
  const text = t('unknownAddress');
  useEffect(() => toastError(text), [text]);
  return <Navigate to="/" replace />;
}
