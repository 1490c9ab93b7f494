import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconDots } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { tenant } from '#lib/tenant.ts';
import classes from '#ui/page-header.module.css';
import type { RowAction } from '#ui/row-menu.tsx';

const RowMenu = lazyPart(() => import('#ui/row-menu.tsx'), 'RowMenu');

interface Tab {
  to: string;
  label: string;
  /** The open screen belongs to this tab, though the tab opens another one. */
  isOpen?: boolean;
}

export interface HeaderAction extends RowAction {
  disabled?: boolean;
  pending?: boolean;
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
  /** Actions before these, which phones show as one menu, because they would take the first half of the window. */
  more?: readonly HeaderAction[] | undefined;
  tabs?: readonly Tab[] | undefined;
}

/** The header of every screen. It also sets the document title. */
export function PageHeader({ title, count, maxCount, description, parent, children, more = [], tabs }: Props) {
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
        {(children || more.length > 0) && (
          <div className={classes.actions}>
            {more.map(({ label, icon: Icon, onClick, disabled = false, pending = false }) => (
              <Button
                key={label}
                className={classes.more}
                variant="default"
                leftSection={<Icon size={16} />}
                loading={pending}
                disabled={disabled}
                onClick={onClick}
              >
                {label}
              </Button>
            ))}
            {children}
            {more.length > 0 && <MoreMenu actions={more} />}
          </div>
        )}
      </div>
      {tabs && <Tabs label={title} tabs={tabs} />}
    </header>
  );
}

/** The actions as a menu, on phones. */
function MoreMenu({ actions }: { actions: readonly HeaderAction[] }) {
  const { t } = useTranslation();
  const [opener, setOpener] = useState<HTMLElement>();
  const usable = actions.filter(action => !action.disabled);
  return (
    <>
      <ActionIcon
        className={classes.menu}
        variant="default"
        size={36}
        loading={actions.some(action => action.pending)}
        disabled={usable.length === 0}
        aria-label={t('moreActions')}
        aria-haspopup="menu"
        aria-expanded={opener !== undefined}
        onClick={event => setOpener(event.currentTarget)}
      >
        <IconDots size={18} aria-hidden />
      </ActionIcon>
      {opener && (
        <RowMenu label={t('moreActions')} button={opener} actions={usable} onClose={() => setOpener(undefined)} />
      )}
    </>
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
