import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useListSearch } from '#lib/search.ts';
import { EmptyState } from '#ui/empty-state.tsx';

/** A list that is empty only because of its search and filters. `clears`: those in the address. */
export function NoMatch({ clears = [] }: { clears?: readonly string[] }) {
  const { t } = useTranslation();
  const [, change] = useListSearch();
  return (
    <EmptyState drawing="search" title={t('list.noMatchTitle')} text={t('list.noMatchText')}>
      {clears.length > 0 && (
        <Button variant="default" onClick={() => change(Object.fromEntries(clears.map(key => [key, undefined])))}>
          {t('list.clearAll')}
        </Button>
      )}
    </EmptyState>
  );
}
