import { Button } from '@mantine/core';
import type { Location } from '@portico/contract/locations.ts';
import { IconBrush, IconCalendarDue, IconChevronLeft, IconKey, IconRouter } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CustomerActions, SuspendedCustomer } from '#features/customers/customer-actions.tsx';
import { CustomerLicence } from '#features/customers/customer-licence.tsx';
import classes from '#features/customers/customers.module.css';
import { PortalPart } from '#features/portals/public.ts';
import { loadTexts } from '#lib/i18n.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useListSearch } from '#lib/search.ts';
import { showsLicences } from '#lib/tenant.ts';
import { useUser } from '#lib/user.ts';
import { Notice } from '#ui/notice.tsx';

// With the texts of devices, which are the longest of all and which the list of customers does not need.
const CustomerDevices = lazyPart(
  async () => {
    await loadTexts('devices');
    return import('#features/customers/customer-devices.tsx');
  },
  'CustomerDevices',
  'in-place',
);

const icons = {
  'settings-devices': IconRouter,
  'portal-edit': IconBrush,
  'providers-edit': IconKey,
  'settings-license': IconCalendarDue,
} as const;
type Tab = keyof typeof icons;

/** Portal tabs need a portal, and reseller hosts do not show licences. */
function tabsOf(customer: Location): readonly Tab[] {
  const hidden: Tab[] = [];
  if (!customer.portal_id) hidden.push('portal-edit', 'providers-edit');
  if (!showsLicences()) hidden.push('settings-license');
  return (Object.keys(icons) as Tab[]).filter(tab => !hidden.includes(tab));
}

/** The settings of a customer in vertical tabs. The portal tabs are those of the portal editor, with the preview. */
export function CustomerPanel({ customer, onBack }: { customer: Location; onBack: () => void }) {
  const { t } = useTranslation(['customers', 'common']);
  const [search, change] = useListSearch();
  const tabs = tabsOf(customer);
  const tab = tabs.find(each => each === search.tab) ?? 'settings-devices';
  const ready = useUser().active_location?.id === customer.id;
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
        <div className={classes.actions}>
          <CustomerActions customer={customer} onGone={onBack} />
          <Link to="/locations/$locationId/edit" params={{ locationId: customer.id }} className={classes.link}>
            {t('settings')}
          </Link>
        </div>
      </header>
      {customer.suspended_at && <SuspendedCustomer customer={customer} />}
      {!customer.portal_id && (
        <Notice
          tone="warn"
          title={t('setup.title')}
          action={
            // The wizard uses the active location, which is just being changed on the server.
            <Button
              disabled={!ready}
              renderRoot={props => <Link to="/onboarding/device" disabled={!ready} {...props} />}
            >
              {t('setup.button')}
            </Button>
          }
        >
          {t('setup.text')}
        </Notice>
      )}
      <div className={classes.tabbed}>
        <nav className={classes.tabs} aria-label={customer.name}>
          {tabs.map(each => {
            const Icon = icons[each];
            return (
              <button
                key={each}
                type="button"
                aria-current={tab === each ? 'page' : undefined}
                onClick={() => change({ tab: each === 'settings-devices' ? undefined : each })}
              >
                <Icon size={18} stroke={1.6} aria-hidden />
                {t(`tab.${each}`)}
              </button>
            );
          })}
        </nav>
        <div className={classes.body}>
          {tab === 'settings-devices' && <CustomerDevices customer={customer} />}
          {tab === 'portal-edit' && customer.portal_id && <PortalPart portalId={customer.portal_id} part="general" />}
          {tab === 'providers-edit' && customer.portal_id && (
            <PortalPart portalId={customer.portal_id} part="methods" />
          )}
          {tab === 'settings-license' && <CustomerLicence key={customer.id} customer={customer} />}
        </div>
      </div>
    </>
  );
}
