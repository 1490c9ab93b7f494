import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useNavigation } from '#app/navigation.ts';
import classes from '#app/sidebar.module.css';
import { useTenant } from '#lib/tenant.ts';
import { Logo } from '#ui/logo.tsx';

export function Sidebar({ rail, onToggle }: { rail: boolean; onToggle: () => void }) {
  const { t } = useTranslation('shell');
  const { brand, landing } = useTenant();
  const Icon = rail ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const label = t(rail ? 'expand' : 'collapse');
  return (
    <aside className={classes.sidebar} data-rail={rail || undefined}>
      <Link to="/" className={classes.brand} aria-label={brand.name}>
        <Logo src={landing.logo.src} name={brand.name} compact={rail} />
      </Link>
      <Navigation rail={rail} />
      <button
        type="button"
        className={classes.toggle}
        onClick={onToggle}
        aria-label={label}
        aria-expanded={!rail}
        title={rail ? label : undefined}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
        {!rail && <span>{label}</span>}
      </button>
    </aside>
  );
}

export function Navigation({ rail = false }: { rail?: boolean }) {
  const { t } = useTranslation('shell');
  const groups = useNavigation();
  return (
    <nav className={classes.nav} aria-label={t('navigation')}>
      {groups.map(group => (
        <section key={group.label} aria-label={group.label}>
          <h2 aria-hidden="true">{group.label}</h2>
          {group.entries.map(({ to, label, icon: Icon, exact }) => (
            <Link
              key={to}
              to={to}
              className={classes.link}
              activeOptions={{ exact: exact ?? false, includeSearch: false }}
              title={rail ? label : undefined}
            >
              <Icon size={18} stroke={1.6} aria-hidden />
              <span className={rail ? 'visually-hidden' : undefined}>{label}</span>
            </Link>
          ))}
        </section>
      ))}
    </nav>
  );
}
