import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { IconBrush, IconCalendarDue, IconChevronLeft, IconKey, IconRouter } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CustomerDevices } from '#features/customers/customer-devices.tsx';
import { CustomerLicence } from '#features/customers/customer-licence.tsx';
import classes from '#features/customers/customers.module.css';
import { useListSearch } from '#lib/search.ts';
import { tenant } from '#lib/tenant.ts';
import { Notice } from '#ui/notice.tsx';

/** What is set for a customer, by vertical tabs; the portal's own are links into its editor. */
export function CustomerPanel({ customer, onBack }: { customer: Location; onBack: () => void }) {
  const { t } = useTranslation(['customers', 'common']);
  const [search, change] = useListSearch();
  const licensed = tenant().variant !== 'reseller';
  const tab = licensed && search.tab === 'license' ? 'license' : 'devices';
  const portalId = customer.portal_id;
  const goTo = (to: 'devices' | 'license') => () => change({ tab: to === 'devices' ? undefined : to });
  return (
    <>
      <header className={classes.head}>
        <button type="button" className={classes.back} onClick={onBack}>
          <IconChevronLeft size={16} aria-hidden />
          {t('title')}
        </button>
        <div>
          <h2>{customer.name}</h2>
          <p>{customer.address || '–'}</p>
        </div>
        <Link to="/locations/$locationId/edit" params={{ locationId: customer.id }} className={classes.link}>
          {t('settings')}
        </Link>
      </header>
      {!portalId && (
        <Notice
          tone="warn"
          title={t('setup.title')}
          action={
            <Button renderRoot={props => <Link to="/onboarding/device" {...props} />}>{t('setup.button')}</Button>
          }
        >
          {t('setup.text')}
        </Notice>
      )}
      <div className={classes.tabbed}>
        <nav className={classes.tabs} aria-label={customer.name}>
          <button type="button" aria-current={tab === 'devices' ? 'page' : undefined} onClick={goTo('devices')}>
            <IconRouter size={18} stroke={1.6} aria-hidden />
            {t('tab.devices')}
          </button>
          {portalId && (
            <>
              <Link to="/portals/$portalId/edit" params={{ portalId }}>
                <IconBrush size={18} stroke={1.6} aria-hidden />
                {t('tab.portal')}
              </Link>
              <Link to="/portals/$portalId/edit/sign-in-methods" params={{ portalId }}>
                <IconKey size={18} stroke={1.6} aria-hidden />
                {t('tab.methods')}
              </Link>
            </>
          )}
          {licensed && (
            <button type="button" aria-current={tab === 'license' ? 'page' : undefined} onClick={goTo('license')}>
              <IconCalendarDue size={18} stroke={1.6} aria-hidden />
              {t('tab.license')}
            </button>
          )}
        </nav>
        <div className={classes.body}>
          {tab === 'devices' ? (
            <CustomerDevices customer={customer} />
          ) : (
            <CustomerLicence key={`${customer.id} ${customer.license_end_at}`} customer={customer} />
          )}
        </div>
      </div>
    </>
  );
}
