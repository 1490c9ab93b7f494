import { Button, TextInput } from '@mantine/core';
import type { WhoWasItForm } from '@portico/contract/identity.ts';
import { useTranslation } from 'react-i18next';
import classes from '#features/identity/identity.module.css';
import { useUser } from '#lib/user.ts';
import { Card } from '#ui/card.tsx';
import { DateField } from '#ui/date-field.tsx';
import layout from '#ui/form-layout.module.css';
import { MacInput } from '#ui/mac-input.tsx';
import { NumberField } from '#ui/number-field.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const helpBelow = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
};

/** The initial values of the question: a link from a session gives its address, guest device and time. */
export type Asked = Partial<Record<'address' | 'at' | 'mac', string | undefined>>;

export function QuestionForm({
  asked,
  pending,
  onAsk,
}: {
  asked: Asked;
  pending: boolean;
  onAsk: (form: WhoWasItForm) => Promise<unknown>;
}) {
  const { t } = useTranslation('identity');
  const { form, element } = useContractForm({
    schema: async () => (await import('@portico/contract/identity.ts')).whoWasItForm,
    initial: { address: asked.address ?? '', port: '', at: asked.at ?? '', mac: asked.mac ?? '', reason: '' },
    submit: onAsk,
  });
  const { getInputProps } = form;
  const user = useUser();
  return (
    <form {...element}>
      <Card title={t('question')} description={t('questionHelp')}>
        <div className={layout.fields}>
          <div className={layout.two}>
            <TextInput
              label={t('address')}
              description={t('addressHelp')}
              {...helpBelow}
              withAsterisk
              placeholder="203.0.113.5"
              autoComplete="off"
              spellCheck={false}
              {...getInputProps('address')}
            />
            <NumberField label={t('port')} description={t('portHelp')} {...helpBelow} {...getInputProps('port')} />
            <DateField
              type="datetime-local"
              step={1}
              label={t('at')}
              description={user.active_location ? t('atHelp') : t('atZone', { zone: user.time_zone })}
              {...helpBelow}
              withAsterisk
              {...getInputProps('at')}
            />
            <MacInput label={t('mac')} description={t('macHelp')} {...helpBelow} {...getInputProps('mac')} />
          </div>
          <TextInput
            label={t('reason')}
            description={t('reasonHelp')}
            {...helpBelow}
            withAsterisk
            autoComplete="off"
            maxLength={300}
            {...getInputProps('reason')}
          />
        </div>
        <div className={classes.ask}>
          <Button type="submit" loading={pending}>
            {t('ask')}
          </Button>
        </div>
      </Card>
    </form>
  );
}
