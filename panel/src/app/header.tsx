import { ActionIcon } from '@mantine/core';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { AccountMenu } from '#app/account-menu.tsx';
import classes from '#app/header.module.css';
import { LocationSwitcher } from '#app/location-switcher.tsx';
import { Bell } from '#features/notifications/public.ts';
import { isApple } from '#lib/is-apple.ts';
import { ColorSchemeToggle } from '#ui/color-scheme-toggle.tsx';
import { HelpLink } from '#ui/help-link.tsx';
import { LanguageSwitcher } from '#ui/language-switcher.tsx';

export function Header({ onMenu, onSearch }: { onMenu: () => void; onSearch: () => void }) {
  const { t } = useTranslation('shell');
  const queries = useQueryClient();
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
        <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <div className={classes.wide}>
        {/* Some responses contain text in the interface language. */}
        <LanguageSwitcher short onChange={() => void queries.invalidateQueries()} />
        <ColorSchemeToggle />
        <HelpLink />
      </div>
      <Bell />
      <AccountMenu />
    </header>
  );
}
