import { Menu } from '@mantine/core';
import { IconLogout, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from '#app/header.module.css';
import { api } from '#lib/api.ts';
import { call } from '#lib/client.ts';
import { leave } from '#lib/session.ts';
import { useUser } from '#lib/user.ts';

export function AccountMenu() {
  const { t } = useTranslation('shell');
  const user = useUser();
  const initials = `${user.first_name[0] ?? ''}${user.last_name[0] ?? ''}` || user.email[0];
  // Signed out here even when the server cannot be told.
  const signOut = () =>
    void call(api.auth.logout)
      .catch(() => undefined)
      .then(() => leave());
  return (
    <Menu position="bottom-end" width={240} offset={6}>
      <Menu.Target>
        <button
          type="button"
          className={classes.account}
          data-initials={initials}
          aria-label={t('account', { name: user.full_name })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.person}>
          <strong>{user.full_name}</strong>
          <span>{user.email}</span>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account/settings" leftSection={<IconUserCircle size={16} />}>
          {t('accountSettings')}
        </Menu.Item>
        <Menu.Item component={Link} to="/account/security" leftSection={<IconShieldLock size={16} />}>
          {t('accountSecurity')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
