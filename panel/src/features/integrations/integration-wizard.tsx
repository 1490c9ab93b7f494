import { Button, Group, Modal } from '@mantine/core';
import type { IntegrationConnection } from '@portico/contract/integration-kinds.ts';
import type { FieldMapping, Integration, IntegrationKind } from '@portico/contract/integrations.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConnectionStep } from '#features/integrations/connection-step.tsx';
import type { TestResult } from '#features/integrations/connection-test.tsx';
import { HandoverValues } from '#features/integrations/handover-values.tsx';
import { KindStep } from '#features/integrations/kind-step.tsx';
import { MappingStep } from '#features/integrations/mapping-step.tsx';
import { NameStep } from '#features/integrations/name-step.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import classes from '#ui/modal.module.css';
import { Steps } from '#ui/steps.tsx';

type Step = 'kind' | 'connection' | 'fields' | 'name' | 'done';
const all: readonly Step[] = ['kind', 'connection', 'fields', 'name', 'done'];

/** Type, connection, columns, name. Mounted only while it is open; going back keeps the entered values. */
export function IntegrationWizard({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['integrations', 'common']);
  const [step, setStep] = useState<Step>('kind');
  const [kind, setKind] = useState<IntegrationKind>();
  const [connection, setConnection] = useState<IntegrationConnection>();
  const [columns, setColumns] = useState<readonly TestResult[]>([]);
  const [fields, setFields] = useState<FieldMapping>();
  const [made, setMade] = useState<Integration & { secret?: string | undefined }>();
  // Only tables have columns to map.
  const mapsColumns = kind?.connection_type === 'database';
  const order = kind && !mapsColumns ? all.filter(each => each !== 'fields') : all;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('add')}
      size={640}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('common:close') }}
      classNames={classes}
    >
      <Steps label={t('add')} steps={order.map(each => t(`step.${each}`))} at={order.indexOf(step)} />
      {step === 'kind' && (
        <KindStep
          chosen={kind?.slug}
          onChoose={chosen => {
            if (chosen.slug !== kind?.slug) setConnection(undefined);
            setKind(chosen);
          }}
          onCancel={onClose}
          onNext={() => setStep('connection')}
        />
      )}
      {step === 'connection' && kind && (
        <ConnectionStep
          kind={kind}
          connection={connection}
          onBack={() => setStep('kind')}
          onConnected={(tried, found) => {
            setConnection(tried);
            setColumns(found);
            setStep(mapsColumns ? 'fields' : 'name');
          }}
        />
      )}
      {step === 'fields' && (
        <MappingStep
          columns={columns}
          fields={fields}
          onBack={() => setStep('connection')}
          onNext={mapped => {
            setFields(mapped);
            setStep('name');
          }}
        />
      )}
      {step === 'name' && kind && connection && (
        <NameStep
          kind={kind}
          params={{ connection, fields: mapsColumns ? (fields ?? null) : null }}
          onBack={() => setStep(mapsColumns ? 'fields' : 'connection')}
          onCreated={it => {
            setMade(it);
            setStep('done');
          }}
        />
      )}
      {step === 'done' && made && (
        <>
          <EmptyState
            drawing="people"
            title={t('doneTitle', { name: made.name })}
            text={t(`doneText.${made.type.connection_type === 'link' ? 'fias' : made.type.type}`)}
          />
          <HandoverValues made={made} />
          <Group justify="flex-end" gap={8} className={classes.foot ?? ''}>
            <Button leftSection={<IconCircleCheck size={16} />} onClick={onClose} data-autofocus>
              {t('finish')}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
