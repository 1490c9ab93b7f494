import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatNumber } from '#lib/format.ts';
import { tenant } from '#lib/tenant.ts';
import classes from '#ui/page-header.module.css';

interface Props {
  title: string;
  /** How many entries the list has; left out while unknown. */
  count?: number | undefined;
  description?: ReactNode;
  /** The list that this screen belongs to. */
  parent?: { to: string; label: string };
  /** What can be done here; hidden by permission by whoever passes it. */
  children?: ReactNode;
  tabs?: readonly { to: string; label: string }[];
}

/** The head of every screen. It also names the browser's tab. */
export function PageHeader({ title, count, description, parent, children, tabs }: Props) {
  return (
    <header className={classes.header} data-tabs={tabs ? true : undefined}>
      <title>{`${title} · ${tenant().brand.name}`}</title>
      {parent && (
        <Link to={parent.to} className={classes.parent}>
          <IconChevronLeft size={15} aria-hidden />
          {parent.label}
        </Link>
      )}
      <div className={classes.line}>
        <div className={classes.words}>
          <h1>
            {title}
            {count !== undefined && <span className={classes.count}>{formatNumber(count)}</span>}
          </h1>
          {description && <p>{description}</p>}
        </div>
        {children && <div className={classes.actions}>{children}</div>}
      </div>
      {tabs && (
        <nav className={classes.tabs} aria-label={title}>
          {tabs.map(tab => (
            <Link key={tab.to} to={tab.to} activeOptions={{ exact: true, includeSearch: false }}>
              {tab.label}
            </Link>
          ))}
        </nav>
      )}
    </header>
  );
}
