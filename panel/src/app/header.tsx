import { ActionIcon } from '@mantine/core';
import { IconHelp, IconMenu2, IconSearch } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AccountMenu } from '#app/account-menu.tsx';
import classes from '#app/header.module.css';
import { helpAddress } from '#app/help-address.ts';
import { LocationSwitcher } from '#app/location-switcher.tsx';
import { Bell } from '#features/notifications/public.ts';
import { ColorSchemeToggle } from '#ui/color-scheme-toggle.tsx';
import { LanguageSwitcher } from '#ui/language-switcher.tsx';

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

export function Header({ onMenu, onSearch }: { onMenu: () => void; onSearch: () => void }) {
  const { t } = useTranslation('shell');
  const queries = useQueryClient();
  const pathname = useLocation({ select: it => it.pathname });
  return (
    <header className={classes.header}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={40}
        className={classes.menu ?? ''}
        onClick={onMenu}
        aria-label={t('openMenu')}
      >
        <IconMenu2 size={20} aria-hidden />
      </ActionIcon>
      <LocationSwitcher />
      <button type="button" className={classes.search} onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
        <IconSearch size={16} aria-hidden />
        <span>{t('search')}</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <div className={classes.wide}>
        {/* Some responses contain text in the interface language. */}
        <LanguageSwitcher short onChange={() => void queries.invalidateQueries()} />
        <ColorSchemeToggle />
        <ActionIcon
          component="a"
          href={helpAddress(pathname)}
          target="_blank"
          variant="subtle"
          color="gray"
          size={36}
          aria-label={t('help')}
          title={t('help')}
        >
          <IconHelp size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
      <Bell />
      <AccountMenu />
    </header>
  );
}
