import { useTranslation } from 'react-i18next';
import { useIsConnected } from '#lib/connection.ts';

/** Says that the server cannot be reached. The content of the screens stays, and is refreshed afterwards. */
export function ConnectionBanner() {
  const { t } = useTranslation('shell');
  const text = useIsConnected() ? null : <p>{t('reconnecting')}</p>;
  return (
    <div role="status" className="connection">
      {text}
    </div>
  );
}
