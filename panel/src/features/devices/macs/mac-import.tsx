import { Button, Group, Modal } from '@mantine/core';
import type { MacImportPreview } from '@portico/contract/networks.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useImportMacs, useMacPreview } from '#features/devices/networks/networks.api.ts';
import { ApiError } from '#lib/client.ts';
import { formatNumber } from '#lib/format.ts';
import { CsvFileField } from '#ui/csv-file-field.tsx';
import { CsvFindings } from '#ui/csv-findings.tsx';
import classes from '#ui/csv-import.module.css';
import modal from '#ui/modal.module.css';
import { Notice } from '#ui/notice.tsx';

/** Imports MAC rules from a CSV file, after a preview. The import is atomic. */
export function MacImport({ deviceId, onClose }: { deviceId: string; onClose: () => void }) {
  const { t } = useTranslation(['devices', 'csv-import', 'common']);
  const [file, setFile] = useState<File>();
  const [seen, setSeen] = useState<MacImportPreview>();
  const preview = useMacPreview(deviceId);
  const run = useImportMacs(deviceId);
  const failure = preview.error ?? run.error;
  const problems = failure instanceof ApiError ? (failure.errors['file'] ?? [failure.message]) : [];
  const ready = seen !== undefined && seen.problem_count === 0;

  const take = (chosen: File | undefined) => {
    if (!chosen || preview.isPending) return;
    setFile(chosen);
    setSeen(undefined);
    run.reset();
    preview.mutate(chosen, { onSuccess: ({ data }) => setSeen(data) });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('macs.import.title')}
      size={720}
      classNames={modal}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <div className={modal.fields}>
        <p className={classes.help}>{t('macs.import.help')}</p>
        <CsvFileField file={file} pending={preview.isPending} limits={t('macs.import.limits')} onFile={take} />
        {problems.length > 0 && (
          <Notice tone="bad" title={t('csv-import:refused')}>
            {problems.slice(0, 5).join(' ')}
          </Notice>
        )}
        {seen && <Findings found={seen} />}
      </div>
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button
          onClick={() => file && run.mutate(file, { onSuccess: onClose })}
          loading={run.isPending}
          disabled={!ready}
        >
          {ready ? t('macs.import.confirm', { count: seen.rows, shown: formatNumber(seen.rows) }) : t('csv-import:do')}
        </Button>
      </Group>
    </Modal>
  );
}

function Findings({ found }: { found: MacImportPreview }) {
  const { t } = useTranslation('devices');
  return (
    <CsvFindings
      found={found}
      ready={t('macs.import.ready', { count: found.rows, shown: formatNumber(found.rows) })}
      head={[t('mac'), t('macs.import.type'), t('macs.comment'), t('macs.networks')]}
      sample={found.sample.map(it => ({
        line: it.line,
        cells: [it.mac, t(`macs.import.${it.type}`), it.comment || '–', it.networks.join(', ') || t('macs.everywhere')],
      }))}
    />
  );
}
