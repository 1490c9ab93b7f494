import type { HotelLink, Integration } from '@portico/contract/integrations.ts';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useIntegration } from '#features/integrations/integrations.api.ts';
import { api } from '#lib/api.ts';
import { useLive } from '#lib/use-live.ts';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageHeader } from '#ui/page-header.tsx';

/** The layout of an integration's screens: header, tabs and the current problem. */
export function IntegrationScreen({
  children,
}: {
  children: (integration: Integration & { link: HotelLink | null }) => ReactNode;
}) {
  const { t } = useTranslation(['integrations', 'common']);
  const { integrationId = '' } = useParams({ strict: false });
  const query = useIntegration(integrationId);
  useLive('integrations', api.integrations.get);
  const parent = { to: '/integrations', label: t('title') };
  if (query.error && !query.data)
    return <LoadError error={query.error} onRetry={() => void query.refetch()} parent={parent} />;
  const it = query.data?.data;
  const base = `/integrations/${integrationId}/edit`;
  const log =
    it &&
    (it.link ? 'charges' : it.type.type === 'webhook' ? 'deliveries' : it.type.type === 'sms' ? 'messages' : undefined);
  return (
    <>
      <PageHeader
        title={it?.name ?? '…'}
        description={it && `${it.type.name} · ${it.location?.name ?? t('wholeTenant')}`}
        parent={parent}
        {...(log && {
          tabs: [
            { to: base, label: t('settings') },
            { to: `${base}/${log}`, label: t(`${log}.title`) },
          ],
        })}
      />
      {it?.last_error && (
        <Notice tone="bad" title={t('notWorking')}>
          {it.last_error}
        </Notice>
      )}
      {it ? children(it) : <FormSkeleton fields={5} />}
    </>
  );
}
