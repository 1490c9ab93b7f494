import { Button, Group } from '@mantine/core';
import { integrationTypes } from '@portico/contract/integration-names.ts';

import type { IntegrationKind } from '@portico/contract/integrations.ts';
import { useTranslation } from 'react-i18next';
import { useKinds } from '#features/integrations/integrations.api.ts';
import classes from '#features/integrations/integrations.module.css';
import { useLimited } from '#lib/permissions.ts';
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
  const query = useKinds();
  const limited = useLimited();
  const kinds = (query.data?.data ?? []).filter(kind => !(limited && kind.type === 'webhook'));
  return (
    <>
      {query.error && !query.data && <LoadError error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <FormSkeleton fields={2} />}
      {integrationTypes
        .filter(type => kinds.some(kind => kind.type === type))
        .map(type => (
          <fieldset key={type} className={classes.kinds}>
            <legend className="mantine-InputWrapper-label">{t(`types.${type}`)}</legend>
            {kinds
              .filter(kind => kind.type === type)
              .map(kind => (
                <label key={kind.id}>
                  <input
                    type="radio"
                    name="kind"
                    value={kind.slug}
                    checked={kind.slug === chosen}
                    onChange={() => onChoose(kind)}
                    data-autofocus={kind === kinds[0] || undefined}
                  />
                  <img src={kind.logo} alt="" width={32} height={32} />
                  {kind.slug === 'sms-http' ? t('sms.other') : kind.name}
                </label>
              ))}
          </fieldset>
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
