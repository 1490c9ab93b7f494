import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/account/account.module.css';
import { tenant } from '#lib/tenant.ts';
import { toastSuccess } from '#lib/toast.ts';
import { useUser } from '#lib/user.ts';
import modal from '#ui/modal.module.css';
import { useCopy } from '#ui/use-copy.ts';

/** The codes are shown only once, so the dialog closes only after the user confirms saving them. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common']);
  const { email } = useUser();
  const [saved, setSaved] = useState(false);
  const text = [`${tenant().brand.name} · ${email}`, '', ...codes, ''].join('\n');
  const copyText = useCopy();
  const copy = async () => {
    if (await copyText(codes.join('\n'))) toastSuccess(t('common:copied'));
  };
  const download = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    Object.assign(document.createElement('a'), { href: url, download: 'recovery-codes.txt' }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('recovery.title')}
      size={480}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      classNames={modal}
    >
      <p className={modal.text}>{t('recovery.text')}</p>
      <ol className={classes.codes}>
        {codes.map(code => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <Group gap={8} mb={20}>
        <Button variant="default" leftSection={<IconCopy size={16} />} onClick={copy}>
          {t('recovery.copy')}
        </Button>
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={download}>
          {t('recovery.download')}
        </Button>
      </Group>
      <Checkbox
        label={t('recovery.kept')}
        checked={saved}
        onChange={event => setSaved(event.currentTarget.checked)}
        mb={20}
      />
      <Group justify="flex-end">
        <Button onClick={onClose} disabled={!saved}>
          {t('recovery.done')}
        </Button>
      </Group>
    </Modal>
  );
}
