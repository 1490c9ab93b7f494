import { Button, SegmentedControl, TextInput } from '@mantine/core';
import type { Portal } from '@portico/contract/portals.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { previewAddress, usePortal, useUpdatePortal } from '#features/portals/portals.api.ts';
import { useCan } from '#lib/permissions.ts';
import { Card } from '#ui/card.tsx';
import layout from '#ui/form-layout.module.css';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

export function PortalPage() {
  const { t } = useTranslation('portals');
  const { portalId } = useParams({ from: '/shell/portals/$portalId/edit' });
  const query = usePortal(portalId);
  if (query.error && !query.data) return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
  const portal = query.data?.data;
  return (
    <>
      <PageHeader title={portal?.name ?? '…'} parent={{ to: '/portals', label: t('title') }}>
        <Button
          component="a"
          href={previewAddress(portalId)}
          target="_blank"
          rel="noopener"
          variant="default"
          leftSection={<IconExternalLink size={16} />}
        >
          {t('preview')}
        </Button>
      </PageHeader>
      {portal ? <PortalForm key={portal.updated_at} portal={portal} /> : <FormSkeleton fields={2} />}
    </>
  );
}

function PortalForm({ portal }: { portal: Portal }) {
  const { t } = useTranslation('portals');
  const readOnly = !useCan()('update-portals');
  const update = useUpdatePortal(portal.id);
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/portals/portal-schemas.ts')).generalPortal,
    initial: { name: portal.name, color_scheme: portal.color_scheme },
    submit: values => update.mutateAsync(values),
  });
  return (
    <form {...element}>
      <fieldset className={layout.whole} disabled={readOnly}>
        <Card title={t('general')}>
          <div className={layout.fields}>
            <TextInput label={t('name')} withAsterisk {...form.getInputProps('name')} />
            <div>
              <span id="scheme" className="mantine-InputWrapper-label">
                {t('scheme')}
              </span>
              <div>
                <SegmentedControl
                  aria-labelledby="scheme"
                  data={[
                    { value: 'light', label: t('light') },
                    { value: 'dark', label: t('dark') },
                  ]}
                  {...form.getInputProps('color_scheme')}
                />
              </div>
            </div>
          </div>
        </Card>
      </fieldset>
      <SaveBar dirty={form.isDirty()} pending={update.isPending} onDiscard={form.reset} />
    </form>
  );
}
