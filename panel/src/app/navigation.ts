import type { Access } from '@portico/contract/permissions.ts';
import {
  IconActivity,
  IconAddressBook,
  IconBuildingStore,
  IconCashBanknote,
  IconCashRegister,
  IconCreditCard,
  IconDevices,
  IconHistory,
  IconLayout,
  IconLayoutDashboard,
  IconMail,
  IconPlugConnected,
  IconQrcode,
  IconRouter,
  IconScript,
  IconSettings,
  IconSpeakerphone,
  IconTicket,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '#lib/permissions.ts';

interface Entry {
  readonly to: string;
  readonly text:
    | 'dashboard'
    | 'online'
    | 'visitors'
    | 'consents'
    | 'vouchers'
    | 'desk'
    | 'paidAccess'
    | 'macSessions'
    | 'sales'
    | 'history'
    | 'whoWasIt'
    | 'reportMails'
    | 'devices'
    | 'portals'
    | 'qrMenu'
    | 'integrations'
    | 'customers'
    | 'locations'
    | 'audit'
    | 'settings';
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly access: Access;
  /** Hidden from users who reach the screen by another entry. */
  readonly unless?: Access;
  /** Active at exactly this address only. */
  readonly exact?: boolean;
}

/** The sidebar, group by group. */
const groups: readonly {
  readonly text: 'guests' | 'reports' | 'network' | 'management';
  readonly entries: readonly Entry[];
}[] = [
  {
    text: 'guests',
    entries: [
      { to: '/', text: 'dashboard', icon: IconLayoutDashboard, access: 'view-basic-stats', exact: true },
      { to: '/online', text: 'online', icon: IconActivity, access: 'view-basic-stats' },
      { to: '/visitors', text: 'visitors', icon: IconUsers, access: 'view-clients' },
      { to: '/consents', text: 'consents', icon: IconSpeakerphone, access: 'view-clients' },
      { to: '/vouchers', text: 'vouchers', icon: IconTicket, access: 'view-vouchers' },
      { to: '/desk', text: 'desk', icon: IconCashRegister, access: 'store-vouchers' },
      { to: '/packages', text: 'paidAccess', icon: IconCreditCard, access: 'read-profiles' },
    ],
  },
  {
    text: 'reports',
    entries: [
      { to: '/reports/mac-sessions', text: 'macSessions', icon: IconDevices, access: 'view-basic-stats' },
      { to: '/reports/sales-report', text: 'sales', icon: IconCashBanknote, access: 'view-basic-stats' },
      { to: '/reports/session-history', text: 'history', icon: IconHistory, access: 'view-basic-stats' },
      { to: '/reports/who-was-it', text: 'whoWasIt', icon: IconUserSearch, access: 'view-identity' },
      { to: '/reports/mails', text: 'reportMails', icon: IconMail, access: 'update-location' },
    ],
  },
  {
    text: 'network',
    entries: [
      { to: '/devices', text: 'devices', icon: IconRouter, access: 'view-devices' },
      { to: '/portals', text: 'portals', icon: IconLayout, access: 'view-portals' },
      { to: '/integrations', text: 'integrations', icon: IconPlugConnected, access: 'view-integrations' },
      { to: '/qrmenu', text: 'qrMenu', icon: IconQrcode, access: 'view-portals' },
    ],
  },
  {
    text: 'management',
    entries: [
      { to: '/admin', text: 'customers', icon: IconAddressBook, access: 'create-location' },
      { to: '/locations', text: 'locations', icon: IconBuildingStore, access: 'signed-in' },
      { to: '/settings', text: 'settings', icon: IconSettings, access: 'read-tenant' },
      { to: '/settings/audit', text: 'audit', icon: IconScript, access: 'read-location', unless: 'read-tenant' },
    ],
  },
];

/** The groups and entries that this user may open, with their names. */
export function useNavigation() {
  const { t } = useTranslation('shell');
  const can = useCan();
  return groups
    .map(group => ({
      label: t(`group.${group.text}`),
      entries: group.entries
        .filter(entry => can(entry.access) && !(entry.unless && can(entry.unless)))
        .map(entry => ({ ...entry, label: t(`nav.${entry.text}`) })),
    }))
    .filter(group => group.entries.length > 0);
}
