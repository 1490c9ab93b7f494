import { Button, Group, Modal, MultiSelect, Switch, TextInput } from '@mantine/core';
import {
  type RadiusProxyCertificate,
  type RadiusProxyRow,
  type RadiusProxyWithSecret,
  radiusProxyForm,
} from '@portico/contract/radius-proxies.ts';
import { IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useCreateRadiusProxy,
  useIssueProxyCertificate,
  useLocations,
  useRenewProxySecret,
  useRevokeProxyCertificate,
  useUpdateRadiusProxy,
} from '#features/radius-proxies/radius-proxies.api.ts';
import { downloadText } from '#lib/download-text.ts';
import { choices } from '#ui/choices.ts';
import { Confirm } from '#ui/confirm.tsx';
import { Facts } from '#ui/facts.tsx';
import { FormModal } from '#ui/form-modal.tsx';
import modal from '#ui/modal.module.css';
import { useContractForm } from '#ui/use-contract-form.ts';

interface Props {
  proxy: RadiusProxyRow;
  onClose: () => void;
}

/** Adds a proxy, then shows its secret once; or changes one. */
export function RadiusProxyForm({ proxy, onClose }: { proxy: RadiusProxyRow | undefined; onClose: () => void }) {
  const { t } = useTranslation('radius-proxies');
  const create = useCreateRadiusProxy();
  const update = useUpdateRadiusProxy();
  const locations = useLocations();
  const [made, setMade] = useState<RadiusProxyWithSecret>();
  const form = useContractForm({
    schema: async () => radiusProxyForm,
    initial: {
      name: proxy?.name ?? '',
      address: proxy?.address ?? '',
      location_ids: proxy?.location_ids ?? null,
      require_message_authenticator: proxy?.require_message_authenticator ?? true,
    },
    submit: async values => {
      if (!proxy) return setMade((await create.mutateAsync(values)).data);
      await update.mutateAsync({ ...values, address: values.address ?? null, secret: undefined, id: proxy.id });
      onClose();
    },
  });
  const { getInputProps, setFieldValue, values } = form.form;
  if (made) return <SecretMade made={made} onClose={onClose} />;
  return (
    <FormModal
      title={t(proxy ? 'edit' : 'add')}
      form={form}
      size={520}
      pending={create.isPending || update.isPending}
      onClose={onClose}
    >
      <TextInput label={t('name')} withAsterisk autoComplete="off" data-autofocus {...getInputProps('name')} />
      <TextInput
        label={t('address')}
        description={t('addressHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="203.0.113.5"
        autoComplete="off"
        {...getInputProps('address')}
      />
      <MultiSelect
        label={t('locations')}
        description={t('locationsHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={choices(locations ?? [])}
        searchable
        clearable
        hidePickedOptions
        limit={100}
        nothingFoundMessage={t('noLocation')}
        {...getInputProps('location_ids')}
        value={values.location_ids ?? []}
        onChange={ids => setFieldValue('location_ids', ids.length > 0 ? ids : null)}
      />
      <Switch
        label={t('signed')}
        description={t('signedHelp')}
        {...getInputProps('require_message_authenticator', { type: 'checkbox' })}
      />
    </FormModal>
  );
}

interface OnceProps {
  title: string;
  text: string;
  children: ReactNode;
  onClose: () => void;
}

/** The secret, which cannot be shown again. So only the button closes the dialog. */
function ShownOnce({ title, text, children, onClose }: OnceProps) {
  const { t } = useTranslation('radius-proxies');
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={560}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      classNames={modal}
    >
      <p className={modal.text}>{text}</p>
      {children}
      <Group justify="flex-end" mt={20}>
        <Button variant="default" onClick={onClose}>
          {t('done')}
        </Button>
      </Group>
    </Modal>
  );
}

function SecretMade({ made, onClose }: { made: RadiusProxyWithSecret; onClose: () => void }) {
  const { t } = useTranslation('radius-proxies');
  return (
    <ShownOnce title={t('secretTitle')} text={t('secretText')} onClose={onClose}>
      <Facts facts={[{ label: t('secret'), value: made.secret, copy: made.secret, code: true }]} />
    </ShownOnce>
  );
}

/** Asks before the secret is replaced, then shows the new one once. */
export function ProxySecret({ proxy, onClose }: Props) {
  const { t } = useTranslation(['radius-proxies', 'common']);
  const renew = useRenewProxySecret();
  if (renew.data) return <SecretMade made={renew.data.data} onClose={onClose} />;
  return (
    <Confirm
      opened
      title={t('renewAsk', { name: proxy.name })}
      text={t('renewText')}
      confirm={t('renew')}
      cancel={t('common:cancel')}
      danger
      pending={renew.isPending}
      onConfirm={() => renew.mutate(proxy)}
      onClose={onClose}
    />
  );
}

function CertificateMade({ made, onClose }: { made: RadiusProxyCertificate; onClose: () => void }) {
  const { t } = useTranslation('radius-proxies');
  const parts = [
    { name: t('parts.certificate'), file: 'portico-proxy.crt', text: made.certificate },
    { name: t('parts.key'), file: 'portico-proxy.key', text: made.private_key },
    { name: t('parts.authority'), file: 'portico-radsec-ca.crt', text: made.authority },
  ];
  return (
    <ShownOnce title={t('certificateTitle')} text={t('certificateText')} onClose={onClose}>
      <Group gap={8}>
        {parts.map(part => (
          <Button
            key={part.file}
            variant="default"
            leftSection={<IconDownload size={16} />}
            onClick={() => downloadText(part.file, part.text)}
          >
            {part.name}
          </Button>
        ))}
      </Group>
    </ShownOnce>
  );
}

/** Asks before a certificate is issued, then shows it once. */
export function ProxyCertificate({ proxy, onClose }: Props) {
  const { t } = useTranslation(['radius-proxies', 'common']);
  const issue = useIssueProxyCertificate();
  if (issue.data) return <CertificateMade made={issue.data.data} onClose={onClose} />;
  return (
    <Confirm
      opened
      title={t('issueAsk', { name: proxy.name })}
      text={t(proxy.certificate ? 'reissueText' : 'issueText')}
      confirm={t('issue')}
      cancel={t('common:cancel')}
      pending={issue.isPending}
      onConfirm={() => issue.mutate(proxy)}
      onClose={onClose}
    />
  );
}

export function ProxyRevoke({ proxy, onClose }: Props) {
  const { t } = useTranslation(['radius-proxies', 'common']);
  const revoke = useRevokeProxyCertificate();
  return (
    <Confirm
      opened
      title={t('revokeAsk', { name: proxy.name })}
      text={t('revokeText')}
      confirm={t('revoke')}
      cancel={t('common:cancel')}
      danger
      pending={revoke.isPending}
      onConfirm={() => revoke.mutate(proxy, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
