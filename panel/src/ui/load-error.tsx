import { Button } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#lib/client.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { NoPermission } from '#ui/no-permission.tsx';

const DropFilters = lazyPart(() => import('#ui/dropped-filters.tsx'), 'DropFilters', 'in-place');

interface Props {
  error: Error;
  onRetry: () => void;
  /** The page to leave to, such as the list of the record, if the error replaces a whole screen. */
  parent?: { to: string; label: string };
}

/** Replaces the data of a failed query: not found, not allowed, or an error with a button to try again. */
export function LoadError({ error, onRetry, parent }: Props) {
  const { t } = useTranslation();
  const status = error instanceof ApiError ? error.status : undefined;
  const screen = parent !== undefined;
  const way = parent ? <ParentButton {...parent} /> : status === 404 && <BackButton />;
  if (status === 403) return <NoPermission screen={screen}>{way}</NoPermission>;
  if (status === 404)
    return (
      <ErrorState title={t('error.notFoundTitle')} text={t('error.notFoundText')} screen={screen}>
        {way}
      </ErrorState>
    );
  const state = (
    <ErrorState text={status ? error.message : t('error.unreachable')} onRetry={onRetry} screen={screen}>
      {way}
    </ErrorState>
  );
  return status === 422 ? <DropFilters error={error as ApiError}>{state}</DropFilters> : state;
}

/** Leaves a screen that could not be shown. */
export function ParentButton({ to, label }: { to: string; label: string }) {
  return (
    <Button
      variant="default"
      leftSection={<IconChevronLeft size={16} aria-hidden />}
      renderRoot={props => <Link to={to} {...props} />}
    >
      {label}
    </Button>
  );
}

function BackButton() {
  const { t } = useTranslation();
  const router = useRouter();
  // A link may have opened the screen in a new tab.
  const back = () => (router.history.canGoBack() ? router.history.back() : void router.navigate({ to: '/' }));
  return (
    <Button variant="default" onClick={back}>
      {t('error.goBack')}
    </Button>
  );
}
