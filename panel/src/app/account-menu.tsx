import { IconHelp, IconLogout, IconShieldLock, IconUserCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#app/header.module.css';
import { helpAddress } from '#lib/help-address.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { signOut } from '#lib/sign-out.ts';
import { useUser } from '#lib/user.ts';

const RowMenu = lazyPart(() => import('#ui/row-menu.tsx'), 'RowMenu');

export function AccountMenu() {
  const { t } = useTranslation('shell');
  const user = useUser();
  const navigate = useNavigate();
  const [opener, setOpener] = useState<HTMLElement>();
  const label = t('account', { name: user.full_name });
  const initials = `${user.first_name[0] ?? ''}${user.last_name[0] ?? ''}` || user.email[0];
  const open = (to: '/account/settings' | '/account/security') => () => void navigate({ to });
  return (
    <>
      <button
        type="button"
        className={classes.account}
        data-initials={initials}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opener !== undefined}
        onClick={event => setOpener(event.currentTarget)}
      />
      {opener && (
        <RowMenu
          label={label}
          button={opener}
          onClose={() => setOpener(undefined)}
          head={
            <div className={classes.person} role="presentation">
              <strong>{user.full_name}</strong>
              <span>{user.email}</span>
            </div>
          }
          actions={[
            { label: t('accountSettings'), icon: IconUserCircle, onClick: open('/account/settings') },
            { label: t('accountSecurity'), icon: IconShieldLock, onClick: open('/account/security') },
            {
              label: t('help'),
              icon: IconHelp,
              onClick: () =>
                void window.open(
                  helpAddress(location.pathname, new URLSearchParams(location.search).get('tab') ?? ''),
                  '_blank',
                  'noopener',
                ),
            },
            { label: t('signOut'), icon: IconLogout, onClick: () => void signOut() },
          ]}
        />
      )}
    </>
  );
}
