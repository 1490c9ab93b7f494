import { useTranslation } from 'react-i18next';
import { ConsentList, useConsentsOfVisitor } from '#features/consents/public.ts';
import { useListSearch } from '#lib/search.ts';
import { EmptyState } from '#ui/empty-state.tsx';

/** The consents of a visitor to news and offers. */
export function VisitorMarketing({ id }: { id: string }) {
  const { t } = useTranslation('visitor');
  const [search] = useListSearch();
  return (
    <ConsentList
      ofOne
      query={useConsentsOfVisitor(id, search)}
      empty={<EmptyState drawing="people" title={t('noMarketing')} text={t('noMarketingText')} />}
    />
  );
}
