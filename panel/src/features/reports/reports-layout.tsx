import { IconCashBanknote, IconDevices, IconHistory } from '@tabler/icons-react';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#features/reports/reports.module.css';

const reports = [
  { to: '/reports/mac-sessions', text: 'macSessions', icon: IconDevices },
  { to: '/reports/sales-report', text: 'sales', icon: IconCashBanknote },
  { to: '/reports/session-history', text: 'history', icon: IconHistory },
] as const;

export function ReportsLayout() {
  const { t } = useTranslation('reports');
  return (
    <div className={classes.layout}>
      <nav className={classes.nav} aria-label={t('title')}>
        {reports.map(({ to, text, icon: Icon }) => (
          <Link key={to} to={to} activeOptions={{ includeSearch: false }}>
            <Icon size={17} stroke={1.6} aria-hidden />
            {t(`nav.${text}`)}
          </Link>
        ))}
      </nav>
      <div className={classes.report}>
        <Outlet />
      </div>
    </div>
  );
}
