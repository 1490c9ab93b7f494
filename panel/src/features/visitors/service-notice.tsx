import { Button } from '@mantine/core';
import type { Visitor } from '@portico/contract/visitors.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { closedBy } from '#lib/closed-by.ts';
import { useCan } from '#lib/permissions.ts';
import { showsLicences } from '#lib/tenant.ts';
import { LicenceLink } from '#ui/licence-link.tsx';
import { Notice } from '#ui/notice.tsx';

/** Says why no visitor of the location can sign in, with the way to change that for those who may. */
export function ServiceNotice({ visitor: { service, location, erased_at } }: { visitor: Visitor }) {
  const { t } = useTranslation(['visitor', 'licence-state']);
  const can = useCan();
  if (service === 'running' || erased_at) return null;
  const mayChange = can('create-location');
  const licence = mayChange ? { to: '/admin', search: { customer: location.id, tab: 'settings-license' } } : undefined;
  const customer = mayChange && (
    <Button
      size="xs"
      variant="default"
      renderRoot={props => <Link to="/admin" search={{ customer: location.id }} {...props} />}
    >
      {t('licence-state:openCustomer')}
    </Button>
  );
  return (
    <Notice
      tone="bad"
      title={t(`service.${closedBy(service)}`, { location: location.name })}
      action={service === 'ended' && showsLicences() ? <LicenceLink give={licence} /> : customer}
    >
      {t('service.text')}
    </Notice>
  );
}
