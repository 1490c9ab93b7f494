import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '#lib/permissions.ts';
import { Notice } from '#ui/notice.tsx';

/** Says that the service of a location was suspended. Users who may resume it get a link to where they do. */
export function SuspendedNotice({ title, location }: { title: string; location: Location }) {
  const { t } = useTranslation('licence-state');
  const can = useCan();
  const mayResume = can(location.suspended_by === 'tenant-admin' ? 'tenant-admin' : 'create-location');
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
    <Notice tone="bad" title={title} action={mayResume && customer}>
      {t(mayResume ? 'suspendedOwn' : 'suspendedText')}
    </Notice>
  );
}
