import { Button, Group, Modal } from '@mantine/core';
import type { FieldMapping, PmsConnection, PmsSlug } from '@portico/contract/integrations.ts';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, ConnectionStep } from '#features/integrations/connection-step.tsx';
import { KindStep } from '#features/integrations/kind-step.tsx';
import { MappingStep } from '#features/integrations/mapping-step.tsx';
import { NameStep } from '#features/integrations/name-step.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import classes from '#ui/modal.module.css';
import { Steps } from '#ui/steps.tsx';

type Step = 'kind' | 'connection' | 'fields' | 'name' | 'done';
const order: readonly Step[] = ['kind', 'connection', 'fields', 'name', 'done'];

/** Type, connection, columns, name. Drawn only while it is open; a step gone back to still holds what was entered. */
export function IntegrationWizard({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['integrations', 'common']);
  const [step, setStep] = useState<Step>('kind');
  const [kind, setKind] = useState<{ slug: PmsSlug; port: number; name: string }>();
  const [connection, setConnection] = useState<PmsConnection>();
  const [columns, setColumns] = useState<readonly Column[]>([]);
  const [fields, setFields] = useState<FieldMapping>();
  const [name, setName] = useState('');
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
          onConnected={(made, found) => {
            setConnection(made);
            setColumns(found);
            setStep('fields');
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
      {step === 'name' && kind && connection && fields && (
        <NameStep
          kind={kind.slug}
          params={{ connection, fields }}
          onBack={() => setStep('fields')}
          onCreated={made => {
            setName(made);
            setStep('done');
          }}
        />
      )}
      {step === 'done' && (
        <>
          <EmptyState drawing="people" title={t('doneTitle', { name })} text={t('doneText')} />
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
