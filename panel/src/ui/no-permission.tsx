import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';

export function NoPermission() {
  const { t } = useTranslation();
  return <EmptyState drawing="closed" title={t('noPermission.title')} text={t('noPermission.text')} />;
}
