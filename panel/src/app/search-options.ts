import { useDebouncedValue } from '@mantine/hooks';
import type { SearchHit } from '@portico/contract/search.ts';
import {
  IconActivity,
  IconBuildingStore,
  IconDeviceMobile,
  IconHistory,
  IconLayout,
  IconLockX,
  IconPlugConnectedX,
  IconPlus,
  IconPrinter,
  IconRouter,
  IconSettings,
  IconTicket,
  IconUser,
  IconUserCircle,
  IconUsersPlus,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { askedFor } from '#app/asked-for.ts';
import { filterOf } from '#app/filter-of.ts';
import { useNavigation } from '#app/navigation.ts';
import { api } from '#lib/api.ts';
import { beginsLike } from '#lib/begins-like.ts';
import { queryOf } from '#lib/client.ts';
import { closedBy } from '#lib/closed-by.ts';
import { folded } from '#lib/folded.ts';
import { useCan } from '#lib/permissions.ts';
import { useWorkingLocation } from '#lib/working-location.ts';
import type { PickOption } from '#ui/pick-list.tsx';

/** Where an option of the search leads. */
export interface Target {
  readonly to: string;
  readonly search?: Record<string, string>;
  readonly hash?: string;
  /** The location that must be active for the screen to show the record. */
  readonly location?: string | undefined;
  /** The session that is ended; the screen shows what the router answers. */
  readonly ends?: string;
}
export type SearchOption = PickOption & { readonly target: Target };

const icons = {
  visitor: IconUser,
  session: IconActivity,
  past: IconHistory,
  client: IconDeviceMobile,
  device: IconRouter,
  portal: IconLayout,
  batch: IconTicket,
  location: IconBuildingStore,
  failed: IconLockX,
} as const satisfies Record<SearchHit['kind'], PickOption['icon']>;

function targetOf({ kind, id, title, location, day }: SearchHit): Target {
  switch (kind) {
    case 'visitor':
      return { to: `/visitors/${id}` };
    case 'session':
      return { to: '/online', search: { [filterOf(title)]: title }, location: location?.id };
    case 'past':
      return {
        to: '/reports/session-history',
        search: { search: title, period: `${day}_${day}` },
        location: location?.id,
      };
    case 'client':
      return { to: '/reports/session-history', search: { mac: id, period: 'last30Days' }, location: location?.id };
    case 'device':
      return { to: `/devices/${id}` };
    case 'batch':
      return { to: `/vouchers/${id}` };
    case 'portal':
      return { to: `/portals/${id}/edit` };
    case 'failed':
      return {
        to: '/',
        search: { show: 'failed', [filterOf(title) === 'mac' ? 'mac' : 'typed']: title, period: 'last30Days' },
        location: location?.id,
      };
    case 'location':
      return { to: `/locations/${id}/edit` };
  }
}

const actions = [
  { text: 'addVisitor', access: 'store-clients', to: '/visitors', hash: 'add', icon: IconPlus },
  { text: 'addVisitors', access: 'store-clients', to: '/visitors', hash: 'bulk', icon: IconUsersPlus },
  { text: 'addVouchers', access: 'store-vouchers', to: '/vouchers', hash: 'add', icon: IconTicket },
  { text: 'addDevice', access: 'store-devices', to: '/devices', hash: 'add', icon: IconPlus },
  { text: 'addPortal', access: 'store-portals', to: '/portals', hash: 'add', icon: IconPlus },
  { text: 'addLocation', access: 'create-location', to: '/locations', hash: 'add', icon: IconPlus },
  { text: 'addIntegration', access: 'store-integrations', to: '/integrations', hash: 'add', icon: IconPlus },
] as const;

/** Tabs of the settings and of the account, which the sidebar does not list. */
const tabs = [
  { text: 'users', of: 'settings', access: 'read-tenant', to: '/settings/users' },
  { text: 'roles', of: 'settings', access: 'read-tenant', to: '/settings/roles' },
  { text: 'domains', of: 'settings', access: 'read-tenant', to: '/settings/domains' },
  { text: 'sso', of: 'settings', access: 'read-tenant', to: '/settings/sso' },
  { text: 'radiusProxies', of: 'settings', access: 'read-tenant', to: '/settings/radius-proxies' },
  { text: 'licences', of: 'settings', access: 'read-tenant', to: '/settings/licences' },
  { text: 'audit', of: 'settings', access: 'read-tenant', to: '/settings/audit' },
  { text: 'person', of: 'account', access: 'signed-in', to: '/account/settings' },
  { text: 'security', of: 'account', access: 'signed-in', to: '/account/security' },
  { text: 'notifications', of: 'account', access: 'signed-in', to: '/account/notifications' },
  { text: 'tokens', of: 'account', access: 'signed-in', to: '/account/tokens' },
] as const;

/** Tabs of the location in which the user works. */
const locationTabs = [
  { text: 'administrators', access: 'read-location', to: 'users' },
  { text: 'profiles', access: 'read-profiles', to: 'user-profiles' },
  { text: 'sessionSettings', access: 'signed-in', to: 'sessions' },
] as const;

/** The screens and actions that the user may open, then the records that the server finds for the typed text. */
export function useSearchOptions(typed: string): { options: SearchOption[]; pending: boolean } {
  const { t } = useTranslation('shell');
  const { t: place } = useTranslation('places');
  const can = useCan();
  const groups = useNavigation();
  const here = useWorkingLocation();
  const { on, text } = askedFor(typed);
  const [search] = useDebouncedValue(text, 150);
  const found = useQuery({
    ...queryOf(api.search.find, { query: { search } }),
    enabled: search.length > 1,
    placeholderData: keepPreviousData,
  });
  const screens = groups.flatMap(group =>
    group.entries.map(({ to, label, icon }) => ({ id: to, label, hint: group.label, icon, target: { to } })),
  );
  const doable: SearchOption[] = actions
    .filter(({ access }) => can(access))
    .map(({ text, to, hash, icon }) => ({
      id: `${to}#${hash}`,
      label: t(`action.${text}`),
      hint: t('action.hint'),
      icon,
      target: { to, hash },
    }));
  if (can('store-vouchers'))
    doable.push({
      id: 'print',
      label: place('print'),
      hint: t('action.hint'),
      icon: IconPrinter,
      target: { to: '/vouchers' },
    });
  if (can('view-basic-stats')) {
    if (can('update-clients'))
      doable.push({
        id: 'end',
        label: place('end'),
        hint: t('action.hint'),
        icon: IconPlugConnectedX,
        target: { to: '/online' },
      });
    doable.push({
      id: 'failed',
      label: place('failed'),
      hint: t('nav.dashboard'),
      icon: IconLockX,
      target: { to: '/', search: { show: 'failed' } },
    });
  }
  const ofLocation = locationTabs
    .filter(({ access }) => here !== null && can(access))
    .map(({ text, to }) => ({
      id: `location ${to}`,
      label: place(text),
      hint: place('location'),
      icon: IconBuildingStore,
      target: { to: `/locations/${here}/edit/${to}` },
    }));
  const settings = tabs
    .filter(({ access }) => can(access))
    .map(({ text, of, to }) => ({
      id: `tab ${to}`,
      label: place(text),
      hint: place(of),
      icon: of === 'account' ? IconUserCircle : IconSettings,
      target: { to },
    }));
  /** Actions on a hit besides opening it. */
  const actionOf = (hit: SearchHit): SearchOption | undefined => {
    const common = {
      hint: [hit.kind === 'session' && hit.title, hit.location?.name, t('action.hint')].filter(Boolean).join(' · '),
      isFound: true,
    };
    if (hit.kind === 'session' && hit.endable && can('update-clients'))
      return {
        ...common,
        id: `end ${hit.id}`,
        label: t('action.end', { name: hit.detail ?? hit.title }),
        icon: IconPlugConnectedX,
        target: { ...targetOf(hit), ends: hit.id },
      };
    if (hit.kind === 'batch' && can('store-vouchers'))
      return {
        ...common,
        id: `print ${hit.id}`,
        label: t('action.print', { name: hit.title }),
        icon: IconPrinter,
        target: { ...targetOf(hit), hash: 'print' },
      };
  };
  const stateOf = ({ service = 'running' }: SearchHit) =>
    service !== 'running' && place(`service.${closedBy(service)}`);
  const openHit = (hit: SearchHit): SearchOption => ({
    id: `${hit.kind} ${hit.id} ${hit.location?.id}`,
    label: hit.title,
    hint: [
      hit.detail,
      hit.location?.name,
      stateOf(hit),
      hit.kind === 'failed' ? place(filterOf(hit.title) === 'mac' ? 'failed' : 'failedOf') : t(`hit.${hit.kind}`),
    ]
      .filter(Boolean)
      .join(' · '),
    icon: icons[hit.kind],
    isFound: true,
    target: targetOf(hit),
  });
  const hits = (search.length > 1 ? (found.data?.data ?? []) : []).flatMap(hit => {
    const action = actionOf(hit);
    return action ? [openHit(hit), action] : [openHit(hit)];
  });
  // The action that was asked for comes first.
  const id = on && { session: 'end ', batch: 'print ' }[on];
  const first = hits.filter(it => id && it.id.startsWith(id));
  const local: SearchOption[] = [...screens, ...doable, ...ofLocation, ...settings];
  const pending = text !== search || found.isFetching;
  const typedWords = folded(typed).split(/\s+/).filter(Boolean);
  const fitting = (fits: (text: string, word: string) => boolean) =>
    local.filter(it => typedWords.every(word => fits(folded(`${it.label} ${it.hint ?? ''}`), word)));
  // The server tolerates a typing error only when nothing matches, and so does the panel.
  const isMistyped = !pending && hits.length === 0 && fitting((all, word) => all.includes(word)).length === 0;
  const similar = isMistyped ? fitting(beginsLike).map(it => ({ ...it, isFound: true })) : local;
  return { options: [...similar, ...first, ...hits.filter(it => !first.includes(it))], pending };
}
