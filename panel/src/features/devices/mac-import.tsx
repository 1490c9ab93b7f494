import { Button, Group, Modal } from '@mantine/core';
import type { MacImportPreview } from '@portico/contract/networks.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useImportMacs, useMacPreview } from '#features/devices/networks.api.ts';
import { ApiError } from '#lib/client.ts';
import { formatNumber } from '#lib/format.ts';
import { CsvFileField } from '#ui/csv-file-field.tsx';
import classes from '#ui/csv-import.module.css';
import { CsvRows } from '#ui/csv-rows.tsx';
import modal from '#ui/modal.module.css';
import { Notice } from '#ui/notice.tsx';

/** MAC rules from a CSV file: what it would do is shown first, then it is done whole or not at all. */
export function MacImport({ deviceId, onClose }: { deviceId: string; onClose: () => void }) {
  const { t } = useTranslation(['devices', 'common']);
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
        <CsvFileField
          file={file}
          pending={preview.isPending}
          words={{
            drop: t('macs.import.drop'),
            limits: t('macs.import.limits'),
            choose: t('macs.import.choose'),
            other: t('macs.import.other'),
          }}
          onFile={take}
        />
        {problems.length > 0 && (
          <Notice tone="bad" title={t('macs.import.refused')}>
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
          {ready ? t('macs.import.confirm', { count: seen.rows, shown: formatNumber(seen.rows) }) : t('macs.import.do')}
        </Button>
      </Group>
    </Modal>
  );
}

function Findings({ found }: { found: MacImportPreview }) {
  const { t } = useTranslation('devices');
  const { problems, problem_count, rows, valid, ignored, sample } = found;
  return (
    <section aria-live="polite" className={classes.findings}>
      {problem_count > 0 ? (
        <Notice
          tone="bad"
          title={t('macs.import.problems', { count: rows - valid, shown: formatNumber(rows - valid) })}
        >
          {t('macs.import.nothing', { valid: formatNumber(valid), rows: formatNumber(rows) })}
        </Notice>
      ) : (
        <Notice tone="info" title={t('macs.import.ready', { count: rows, shown: formatNumber(rows) })} />
      )}
      {ignored.length > 0 && (
        <p className={classes.help}>{t('macs.import.ignored', { columns: ignored.join(', ') })}</p>
      )}
      {problems.length > 0 ? (
        <CsvRows
          label={t('macs.import.problemList')}
          head={[t('macs.import.line'), t('macs.import.column'), t('macs.import.problem')]}
          rows={problems.map(it => [String(it.line), it.column, it.message])}
        />
      ) : (
        <CsvRows
          label={t('macs.import.sample')}
          head={[t('macs.import.line'), t('mac'), t('macs.import.type'), t('macs.comment'), t('macs.networks')]}
          rows={sample.map(it => [
            String(it.line),
            it.mac,
            t(`macs.import.${it.type}`),
            it.comment || '–',
            it.networks.join(', ') || t('macs.everywhere'),
          ])}
        />
      )}
      {problem_count > problems.length && (
        <p className={classes.help}>{t('macs.import.more', { count: problem_count - problems.length })}</p>
      )}
    </section>
  );
}
