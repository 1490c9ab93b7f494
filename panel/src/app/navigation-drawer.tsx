import { Drawer } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import classes from '#app/navigation-drawer.module.css';
import { Navigation } from '#app/sidebar.tsx';
import { useTenant } from '#lib/tenant.ts';
import { ColorSchemeToggle } from '#ui/color-scheme-toggle.tsx';
import { LanguageSwitcher } from '#ui/language-switcher.tsx';
import { Logo } from '#ui/logo.tsx';

/** The sidebar of narrow screens, with the items that do not fit into the header. */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { brand, landing } = useTenant();
  return (
    <Drawer
      opened
      onClose={onClose}
      size={300}
      padding={0}
      title={<Logo src={landing.logo.src} name={brand.name} />}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={classes}
    >
      <Navigation />
      <div className={classes.tools}>
        <LanguageSwitcher short onChange={() => void queries.invalidateQueries()} />
        <ColorSchemeToggle />
      </div>
    </Drawer>
  );
}
