import { Button, Group } from '@mantine/core';
import { integrationTypes } from '@portico/contract/integration-names.ts';
import type { IntegrationKind } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { useIntegrationTypes } from '#features/integrations/integrations.api.ts';
import classes from '#features/integrations/integrations.module.css';
import { useLimited } from '#lib/permissions.ts';
import { ChoiceCards } from '#ui/choice-cards.tsx';
import { FormSkeleton } from '#ui/form-skeleton.tsx';
import { LoadError } from '#ui/load-error.tsx';
import modal from '#ui/modal.module.css';

interface Props {
  chosen: string | undefined;
  onChoose: (kind: IntegrationKind) => void;
  onCancel: () => void;
  onNext: () => void;
}

export function KindStep({ chosen, onChoose, onCancel, onNext }: Props) {
  const { t } = useTranslation(['integrations', 'common']);
  const query = useIntegrationTypes();
  const limited = useLimited();
  const kinds = (query.data?.data ?? []).filter(kind => !(limited && kind.type === 'webhook'));
  const choose = (slug: string) => {
    const kind = kinds.find(each => each.slug === slug);
    if (kind) onChoose(kind);
  };
  return (
    <>
      {query.error && !query.data && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <FormSkeleton fields={2} />}
      {integrationTypes
        .filter(type => kinds.some(kind => kind.type === type))
        .map(type => (
          <div key={type} className={classes.kinds}>
            <ChoiceCards
              legend={t(`types.${type}`)}
              name="kind"
              choices={kinds
                .filter(kind => kind.type === type)
                .map(kind => ({
                  value: kind.slug,
                  body: (
                    <>
                      <img src={kind.logo} alt="" width={32} height={32} />
                      {kind.slug === 'sms-http' ? t('sms.other') : kind.name}
                    </>
                  ),
                }))}
              value={chosen}
              onChange={choose}
              first={type === kinds[0]?.type}
            />
          </div>
        ))}
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
        <Button disabled={!chosen} onClick={onNext}>
          {t('common:next')}
        </Button>
      </Group>
    </>
  );
}
