import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatCount } from '#lib/format.ts';
import { tenant } from '#lib/tenant.ts';
import classes from '#ui/page-header.module.css';

interface Tab {
  to: string;
  label: string;
  /** The open screen belongs to this tab, though the tab opens another one. */
  isOpen?: boolean;
}

interface Props {
  title: string;
  /** The length of the list; left out while unknown. */
  count?: number | undefined;
  /** The number at which the server stops counting. */
  maxCount?: number | undefined;
  description?: ReactNode;
  /** The list that this screen belongs to. */
  parent?: { to: string; label: string } | undefined;
  /** Actions. The caller hides those that the user may not use. */
  children?: ReactNode;
  tabs?: readonly Tab[] | undefined;
}

/** The header of every screen. It also sets the document title. */
export function PageHeader({ title, count, maxCount, description, parent, children, tabs }: Props) {
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
            {count !== undefined && <span className={classes.count}>{formatCount(count, maxCount)}</span>}
          </h1>
          {description && <p>{description}</p>}
        </div>
        {children && <div className={classes.actions}>{children}</div>}
      </div>
      {tabs && <Tabs label={title} tabs={tabs} />}
    </header>
  );
}

/** Scrolls to the active tab if they do not all fit. */
function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const open = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && open)
      nav.current.scrollLeft = open.offsetLeft - nav.current.clientWidth / 2 + open.offsetWidth / 2;
  }, [tabs.length]);
  return (
    <nav ref={nav} className={classes.tabs} aria-label={label}>
      {tabs.map(tab => (
        <Link
          key={tab.to}
          to={tab.to}
          aria-current={tab.isOpen ? 'true' : undefined}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
