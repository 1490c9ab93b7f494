import { Button, NativeSelect, TextInput } from '@mantine/core';
import { gatewayKind } from '@portico/contract/device-kinds.ts';
import type { DeviceDetail } from '@portico/contract/devices.ts';
import type { ConnectionForm } from '@portico/contract/router-control.ts';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useForgetCertificate,
  useSaveConnection,
  useTestConnection,
} from '#features/devices/connection/router-control.api.ts';
import classes from '#features/devices/devices.module.css';
import { lazyPart } from '#lib/lazy-part.tsx';
import { Facts } from '#ui/facts.tsx';
import layout from '#ui/form-layout.module.css';
import { NumberField } from '#ui/number-field.tsx';
import { PasswordField } from '#ui/password-field.tsx';
import { SaveBar } from '#ui/save-bar.tsx';
import { useContractForm } from '#ui/use-contract-form.ts';

const Confirm = lazyPart(() => import('#ui/confirm.tsx'), 'Confirm');

const ports = { rest: '443', 'api-ssl': '8729', api: '8728' } as const;
type Protocol = keyof typeof ports;
const protocols = Object.keys(ports) as Protocol[];

/** The connection to a router's management interface, which can be tested before saving. */
export function RouterConnection({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation(['devices', 'common']);
  const { connection } = device;
  const byController = gatewayKind(device.brand.slug) === 'controller';
  const save = useSaveConnection(device.id);
  const test = useTestConnection(device.id);
  const forget = useForgetCertificate(device.id);
  const [removing, setRemoving] = useState(false);
  const testing = useRef(false);
  const { form, element } = useContractForm({
    schema: async () => (await import('#features/devices/device-schemas.ts')).connection,
    initial: {
      host: connection?.host ?? '',
      port: String(connection?.port ?? ports.rest),
      protocol: (connection?.protocol ?? 'rest') as Protocol,
      username: connection?.username ?? '',
      password: '',
    },
    version: device.updated_at,
    toInput: values => ({ ...values, password: values.password || undefined }),
    submit: (values: ConnectionForm) =>
      testing.current ? test.mutateAsync(values).then(() => false) : save.mutateAsync(values),
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent;
    testing.current = submitter?.dataset['test'] !== undefined;
    test.reset();
    element.onSubmit(event);
  };
  const choose = (protocol: Protocol) => {
    // A custom port is kept.
    const port = Object.values<string>(ports).includes(String(form.values.port)) ? ports[protocol] : form.values.port;
    form.setValues({ protocol, port });
  };
  const answer = test.data?.data;
  return (
    <form {...element} onSubmit={onSubmit} aria-label={t('control.title')}>
      <div className={layout.fields}>
        <div className={layout.two}>
          <TextInput
            label={t(byController ? 'control.controllerHost' : 'control.host')}
            withAsterisk
            autoComplete="off"
            placeholder="203.0.113.7"
            {...form.getInputProps('host')}
          />
          {!byController && (
            <NativeSelect
              label={t('control.protocol')}
              data={protocols.map(value => ({ value, label: t(`control.protocols.${value}`) }))}
              {...form.getInputProps('protocol')}
              onChange={event => choose(event.currentTarget.value as Protocol)}
            />
          )}
          <NumberField label={t('control.port')} withAsterisk {...form.getInputProps('port')} />
          <TextInput
            label={t('control.username')}
            withAsterisk
            autoComplete="off"
            {...form.getInputProps('username')}
          />
        </div>
        <PasswordField
          label={t('control.password')}
          description={connection?.has_password ? t('control.passwordKept') : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        {form.values.protocol === 'api' && <p className={classes.help}>{t('control.plain')}</p>}
        <div className={classes.controlButtons}>
          <Button type="submit" variant="default" data-test="" loading={test.isPending}>
            {t('control.test')}
          </Button>
          {connection && (
            <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
              {t('control.remove')}
            </Button>
          )}
        </div>
        <div role="status">
          {answer && (
            <Facts
              facts={[
                { label: t('control.works'), value: answer.identity || '–' },
                { label: byController ? device.brand.name : 'RouterOS', value: answer.version || '–' },
                ...(answer.certificate
                  ? [{ label: t('control.certificate'), value: answer.certificate, code: true }]
                  : []),
              ]}
            />
          )}
        </div>
        {connection?.certificate && (
          <div className={classes.certificate}>
            <Facts facts={[{ label: t('control.certificate'), value: connection.certificate, code: true }]} />
            <p className={classes.help}>{t('control.certificateHelp')}</p>
            <Button
              variant="default"
              size="xs"
              loading={forget.isPending}
              onClick={() => forget.mutate(undefined, { onSuccess: () => test.reset() })}
            >
              {t('control.forget')}
            </Button>
          </div>
        )}
      </div>
      <SaveBar dirty={form.isDirty()} pending={save.isPending} onDiscard={form.reset} />
      {removing && (
        <Confirm
          opened
          title={t('control.removeAsk')}
          text={t('control.removeText')}
          confirm={t('control.remove')}
          cancel={t('common:cancel')}
          danger
          pending={save.isPending}
          onConfirm={() =>
            save.mutate(null, {
              onSuccess: () => {
                setRemoving(false);
                test.reset();
              },
            })
          }
          onClose={() => setRemoving(false)}
        />
      )}
    </form>
  );
}
