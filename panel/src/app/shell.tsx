import { Navigate, Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, startTransition, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Header } from '#app/header.tsx';
import { useNavigation } from '#app/navigation.ts';
import classes from '#app/shell.module.css';
import { Sidebar } from '#app/sidebar.tsx';
import { keepEarlyKeys } from '#lib/early-keys.ts';
import { useCan } from '#lib/permissions.ts';
import { isBrowserZone } from '#lib/time-zone.ts';
import { showPendingToast } from '#lib/toast-after-reload.ts';
import { useUser } from '#lib/user.ts';
import { ConnectionBanner } from '#ui/connection-banner.tsx';
import { NoPermission } from '#ui/no-permission.tsx';

const NavigationDrawer = lazy(async () => ({ default: (await import('#app/navigation-drawer.tsx')).NavigationDrawer }));
const Spotlight = lazy(async () => ({ default: (await import('#app/spotlight.tsx')).Spotlight }));

const railKey = 'portico.rail';

/** After the first view, which needs no keys of lists. Listening twice with one function is listening once. */
function listenToListKeys(): void {
  import('#lib/list-keys.ts').then(
    ({ onListKey }) => addEventListener('keydown', onListKey),
    () => undefined,
  );
}

export function Shell() {
  const { t } = useTranslation('shell');
  const [rail, setRail] = useState(() => localStorage.getItem(railKey) === 'yes');
  const [drawer, setDrawer] = useState(false);
  const [spotlight, setSpotlight] = useState(false);
  const path = useRouterState({ select: state => state.location.pathname });

  // The page answers the key first; the dialog with its list of all screens is drawn in slices.
  const openSpotlight = () => {
    if (spotlight) return;
    keepEarlyKeys();
    startTransition(() => setSpotlight(true));
  };
  const openByKey = useEffectEvent(openSpotlight);

  const { id: user } = useUser();
  useEffect(() => showPendingToast(user), [user]);
  useEffect(() => setDrawer(false), [path]);
  useEffect(listenToListKeys, []);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      openByKey();
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);

  const toggleRail = () => {
    setRail(!rail);
    localStorage.setItem(railKey, rail ? 'no' : 'yes');
  };

  return (
    <div className={classes.shell} data-rail={rail || undefined}>
      <a href="#main" className={classes.skip}>
        {t('skip')}
      </a>
      <Sidebar rail={rail} onToggle={toggleRail} />
      <div className={classes.column}>
        <Header onMenu={() => setDrawer(true)} onSearch={openSpotlight} />
        <ConnectionBanner />
        <main id="main" tabIndex={-1} className={classes.main}>
          <TimeZoneNote />
          <Permitted />
        </main>
      </div>
      <Suspense fallback={null}>
        {drawer && <NavigationDrawer onClose={() => setDrawer(false)} />}
        {spotlight && <Spotlight onClose={() => setSpotlight(false)} />}
      </Suspense>
    </div>
  );
}

/** Names the time zone of the screens where the browser's clock shows another time. */
function TimeZoneNote() {
  const { t } = useTranslation('shell');
  const zone = useUser().time_zone;
  if (isBrowserZone(zone)) return null;
  return <p className={classes.zone}>{t('timeZone', { zone })}</p>;
}

function Permitted() {
  const can = useCan();
  const screen = useMatches({ select: matches => matches.findLast(match => match.staticData.access) });
  const [first] = useNavigation().flatMap(group => group.entries);
  const needed = [screen?.staticData.access ?? []].flat();
  if (needed.every(can)) return <Outlet />;
  // All users arrive at the overview after signing in, also users who may not open it. The address is that of the shown screen:
  // the one in the browser changes first, and the refusal would be seen for a moment.
  return screen?.pathname === '/' && first ? <Navigate to={first.to} replace /> : <NoPermission screen />;
}
