import { useTranslation } from 'react-i18next';
import { toastError } from '#lib/toast.ts';

async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const { default: copyToClipboard } = await import('copy-to-clipboard');
    return copyToClipboard(text);
  }
}

/**
 * Returns a function that copies a text and resolves to whether it worked; it shows a message on failure.
 * Without TLS, or without the permission, browsers offer no `navigator.clipboard`; the library has a fallback. It loads only then.
 */
export function useCopy(): (text: string) => Promise<boolean> {
  const { t } = useTranslation();
  return async text => {
    const copied = await writeText(text).catch(() => false);
    if (!copied) toastError(t('copyFailed'));
    return copied;
  };
}
