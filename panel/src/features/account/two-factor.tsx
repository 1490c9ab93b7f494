import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/account/account.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useUser } from '#lib/user.ts';
import { Card } from '#ui/card.tsx';
import { StatusDot } from '#ui/status-dot.tsx';

const TwoFactorSetup = lazyPart(() => import('#features/account/two-factor-setup.tsx'), 'TwoFactorSetup');
const RecoveryCodesRenewal = lazyPart(
  () => import('#features/account/recovery-codes-renewal.tsx'),
  'RecoveryCodesRenewal',
);
const TwoFactorEnd = lazyPart(() => import('#features/account/two-factor-end.tsx'), 'TwoFactorEnd');

/** Two-factor authentication with an authenticator app. */
export function TwoFactor() {
  const { t } = useTranslation('account');
  const { two_factor } = useUser();
  const [asking, setAsking] = useState<'setup' | 'end' | 'codes'>();
  const close = () => setAsking(undefined);
  return (
    <Card title={t('twoFactor.title')} description={t('twoFactor.help')}>
      <div className={classes.state}>
        <StatusDot tone={two_factor.enabled ? 'good' : 'idle'}>
          {t(two_factor.app ? 'twoFactor.on' : two_factor.enabled ? 'twoFactor.byPasskey' : 'twoFactor.off')}
        </StatusDot>
        {two_factor.enabled && (
          <span className={classes.left} data-few={two_factor.recovery_codes < 3 || undefined}>
            {t('twoFactor.codesLeft', { count: two_factor.recovery_codes })}
          </span>
        )}
        <div className={classes.buttons}>
          {!two_factor.app && <Button onClick={() => setAsking('setup')}>{t('twoFactor.setUp')}</Button>}
          {two_factor.enabled && (
            <Button variant="default" onClick={() => setAsking('codes')}>
              {t('twoFactor.newCodes')}
            </Button>
          )}
          {two_factor.app && (!two_factor.required || two_factor.passkeys > 0) && (
            <Button variant="default" onClick={() => setAsking('end')}>
              {t('twoFactor.switchOff')}
            </Button>
          )}
        </div>
      </div>
      {asking === 'setup' && <TwoFactorSetup onClose={close} />}
      {asking === 'codes' && <RecoveryCodesRenewal onClose={close} />}
      {asking === 'end' && <TwoFactorEnd onClose={close} />}
    </Card>
  );
}
