import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '#lib/permissions.ts';
import { Notice } from '#ui/notice.tsx';

interface Props {
  title: string;
  location: Location;
  /** For users who may resume it, and for the others. */
  text?: { own: string; others: string };
  /** Resumes it here. Otherwise users who may resume it get a link to where they do. */
  resume?: ReactNode;
}

/** Says that the service of a location was suspended. */
export function SuspendedNotice({ title, location, text, resume }: Props) {
  const { t } = useTranslation('licence-state');
  const can = useCan();
  const mayResume = can(location.suspended_by === 'tenant-admin' ? 'tenant-admin' : 'create-location');
  const { own, others } = text ?? { own: t('suspendedOwn'), others: t('suspendedText') };
  const customer = (
    <Button
      size="xs"
      variant="default"
      renderRoot={props => <Link to="/admin" search={{ customer: location.id }} {...props} />}
    >
      {t('openCustomer')}
    </Button>
  );
  return (
    <Notice tone="bad" title={title} action={mayResume && (resume ?? customer)}>
      {mayResume ? own : others}
    </Notice>
  );
}
