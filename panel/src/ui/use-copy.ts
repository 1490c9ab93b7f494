import copyToClipboard from 'copy-to-clipboard';
import { useTranslation } from 'react-i18next';
import { toastError } from '#lib/toast.ts';

/**
 * Returns a function that copies a text and resolves to whether it worked; it shows a message on failure.
 * Without TLS, or without the permission, browsers offer no `navigator.clipboard`; the library has a fallback.
 */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation();
  return async text => {
    const copied = await copyToClipboard(text);
    if (!copied) toastError(t('copyFailed'));
    return copied;
  };
}
