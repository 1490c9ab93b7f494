import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#ui/empty-state.tsx';

interface Props {
  /** Replaces a whole screen. */
  screen?: boolean;
  /** A way out. */
  children?: ReactNode;
}

export function NoPermission({ screen = false, children }: Props) {
  const { t } = useTranslation();
  return (
    <EmptyState drawing="closed" title={t('noPermission.title')} text={t('noPermission.text')} screen={screen}>
      {children}
    </EmptyState>
  );
}
