import { useTranslation } from 'react-i18next';
import { ErrorState } from '#ui/error-state.tsx';

/** Shown if neither the server nor the panel's own files could be loaded. */
export function Fatal() {
  const { t } = useTranslation();
  return (
    <main>
      <ErrorState screen title={t('fatal.title')} text={t('fatal.text')} onRetry={() => location.reload()} />
    </main>
  );
}
