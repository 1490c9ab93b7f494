import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';

/** `children`: a way out, for screens without the menu. */
export function NoPermission({ children }: { children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <EmptyState drawing="closed" title={t('noPermission.title')} text={t('noPermission.text')}>
      {children}
    </EmptyState>
  );
}
