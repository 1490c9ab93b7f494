import type { Access } from '@portico/contract/permissions.ts';
import { IconActivity, IconBuildingStore, IconHistory, IconLayout, IconRouter, IconUsers } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '#lib/permissions.ts';

interface Entry {
  readonly to: string;
  readonly text: 'online' | 'visitors' | 'history' | 'devices' | 'portals' | 'locations';
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly access: Access;
  /** Only this very address counts as being there. */
  readonly exact?: boolean;
}

/** The sidebar, group by group. A screen is listed here once it exists. */
const groups: readonly { readonly text: 'guests' | 'network' | 'management'; readonly entries: readonly Entry[] }[] = [
  {
    text: 'guests',
    entries: [
      { to: '/', text: 'online', icon: IconActivity, access: 'view-basic-stats', exact: true },
      { to: '/visitors', text: 'visitors', icon: IconUsers, access: 'view-clients' },
      { to: '/reports/session-history', text: 'history', icon: IconHistory, access: 'view-basic-stats' },
    ],
  },
  {
    text: 'network',
    entries: [
      { to: '/devices', text: 'devices', icon: IconRouter, access: 'view-devices' },
      { to: '/portals', text: 'portals', icon: IconLayout, access: 'view-portals' },
    ],
  },
  {
    text: 'management',
    entries: [{ to: '/locations', text: 'locations', icon: IconBuildingStore, access: 'signed-in' }],
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
        .filter(entry => can(entry.access))
        .map(entry => ({ ...entry, label: t(`nav.${entry.text}`) })),
    }))
    .filter(group => group.entries.length > 0);
}
