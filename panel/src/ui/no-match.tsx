import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';

/** A list that is empty only because of its search and filters. */
export function NoMatch() {
  const { t } = useTranslation();
  return <EmptyState drawing="search" title={t('list.noMatchTitle')} text={t('list.noMatchText')} />;
}
