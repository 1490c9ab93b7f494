import type { Integration } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { Facts } from '#ui/facts.tsx';

/** Values to enter on the other side: a webhook's secret, shown only once, the address for notifications, or the redirect URI. */
export function HandoverValues({
  made,
}: {
  made: Pick<Integration, 'redirect_uri' | 'hook_url'> & { secret?: string | undefined };
}) {
  const { t } = useTranslation('integrations');
  const { secret, redirect_uri, hook_url } = made;
  if (secret) return <Facts facts={[{ label: t('webhook.secret'), value: secret, copy: secret, code: true }]} />;
  if (hook_url) return <Facts facts={[{ label: t('payment.hookUrl'), value: hook_url, copy: hook_url, code: true }]} />;
  if (!redirect_uri) return null;
  return <Facts facts={[{ label: t('openid.redirect'), value: redirect_uri, copy: redirect_uri, code: true }]} />;
}
