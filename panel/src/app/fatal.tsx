import { useTranslation } from 'react-i18next';
import { ErrorState } from '#ui/error-state.tsx';

/** Nothing could be loaded: the server is away, or the panel's own files are. */
export function Fatal() {
  const { t } = useTranslation();
  return (
    <main>
      <ErrorState title={t('fatal.title')} text={t('fatal.text')} onRetry={() => location.reload()} />
    </main>
  );
}
