import type { Integration } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { Facts } from '#ui/facts.tsx';

/** Values to enter on the other side: a webhook's secret, shown only once, or the redirect URI for a provider. */
export function HandoverValues({
  made,
}: {
  made: Pick<Integration, 'redirect_uri'> & { secret?: string | undefined };
}) {
  const { t } = useTranslation('integrations');
  const { secret, redirect_uri } = made;
  if (secret) return <Facts facts={[{ label: t('webhook.secret'), value: secret, copy: secret, code: true }]} />;
  if (!redirect_uri) return null;
  return <Facts facts={[{ label: t('openid.redirect'), value: redirect_uri, copy: redirect_uri, code: true }]} />;
}
