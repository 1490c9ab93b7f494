import { ActionIcon, Button } from '@mantine/core';
import { IconLogout, IconShieldLock } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Bell } from '#features/notifications/public.ts';
import classes from '#features/onboarding/onboarding.module.css';
import { signOut } from '#lib/sign-out.ts';
import { tenant } from '#lib/tenant.ts';
import { ColorSchemeToggle } from '#ui/color-scheme-toggle.tsx';
import { ConnectionBanner } from '#ui/connection-banner.tsx';
import { HelpLink } from '#ui/help-link.tsx';
import { LanguageSwitcher } from '#ui/language-switcher.tsx';
import { Logo } from '#ui/logo.tsx';

/** The layout of the first-time setup. The bell stays, because there may be an invitation to another location. */
export function OnboardingFrame() {
  const { t } = useTranslation('shell');
  const queries = useQueryClient();
  const { brand, landing } = tenant();
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <Logo src={landing.logo.src} name={brand.name} />
        <div className={classes.tools}>
          <LanguageSwitcher short onChange={() => void queries.invalidateQueries()} />
          <ColorSchemeToggle />
          <HelpLink />
          <Bell />
          <ActionIcon
            component={Link}
            to="/onboarding/security"
            variant="subtle"
            color="gray"
            size={36}
            aria-label={t('accountSecurity')}
            title={t('accountSecurity')}
          >
            <IconShieldLock size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
          <Button
            className={classes.signOut ?? ''}
            variant="subtle"
            color="gray"
            aria-label={t('signOut')}
            leftSection={<IconLogout size={18} stroke={1.7} aria-hidden />}
            onClick={() => void signOut()}
          >
            <span className={classes.signOutWord}>{t('signOut')}</span>
          </Button>
        </div>
      </header>
      <ConnectionBanner />
      <main className={classes.main}>
        <Outlet />
      </main>
    </div>
  );
}
