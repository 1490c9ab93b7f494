import { Button, Group, Modal } from '@mantine/core';
import type { ImportPreview } from '@portico/contract/visitor-import.ts';
import type { Credentials } from '@portico/contract/visitors.ts';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImportPreviewFacts } from '#features/visitors/import-preview-facts.tsx';
import { useDownloadTemplate, useImport, useImportPreview } from '#features/visitors/visitors.api.ts';
import { ApiError } from '#lib/client.ts';
import { formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { useWorkingLocation } from '#lib/working-location.ts';
import { CsvFileField } from '#ui/csv-file-field.tsx';
import classes from '#ui/csv-import.module.css';
import { LocationField } from '#ui/location-field.tsx';
import modal from '#ui/modal.module.css';
import { Notice } from '#ui/notice.tsx';

const CardsDialog = lazyPart(() => import('#features/visitors/cards-dialog.tsx'), 'CardsDialog');

/** Imports visitors from a CSV file, after a preview. The import is atomic. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['visitors', 'csv-import', 'common']);
  const [locationId, setLocationId] = useState(useWorkingLocation());
  const [file, setFile] = useState<File>();
  const [seen, setSeen] = useState<ImportPreview>();
  const [made, setMade] = useState<readonly Credentials[]>();
  const preview = useImportPreview();
  const run = useImport();
  const template = useDownloadTemplate();
  const failure = preview.error ?? run.error;
  const problems = failure instanceof ApiError ? (failure.errors['file'] ?? [failure.message]) : [];

  const take = (chosen: File | undefined) => {
    if (!chosen || preview.isPending) return;
    setFile(chosen);
    setSeen(undefined);
    run.reset();
    preview.mutate({ file: chosen, locationId }, { onSuccess: ({ data }) => setSeen(data) });
  };
  const chooseLocation = (id: string | null) => {
    setLocationId(id);
    setFile(undefined);
    setSeen(undefined);
    preview.reset();
  };
  const confirm = () =>
    file &&
    run.mutate(
      { file, locationId },
      { onSuccess: ({ data }) => (data.credentials.length ? setMade(data.credentials) : onClose()) },
    );

  if (made) return <CardsDialog people={made} until={null} locationId={locationId} onClose={onClose} />;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('import.title')}
      size={720}
      classNames={modal}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <div className={modal.fields}>
        <p className={classes.help}>{t('import.help')}</p>
        <LocationField value={locationId} onChange={chooseLocation} />
        <CsvFileField
          file={file}
          disabled={!locationId}
          pending={preview.isPending}
          limits={t('import.limits')}
          onFile={take}
        />
        <Button
          variant="subtle"
          className={classes.template ?? ''}
          leftSection={<IconDownload size={16} />}
          loading={template.isPending}
          onClick={() => template.mutate()}
        >
          {t('import.template')}
        </Button>
        {problems.length > 0 && (
          <Notice tone="bad" title={t('csv-import:refused')}>
            {problems.slice(0, 5).join(' ')}
          </Notice>
        )}
        {seen && <ImportPreviewFacts found={seen} />}
      </div>
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button onClick={confirm} loading={run.isPending} disabled={!seen || seen.problem_count > 0}>
          {seen && seen.problem_count === 0
            ? t('import.confirm', { count: seen.rows, shown: formatNumber(seen.rows) })
            : t('csv-import:do')}
        </Button>
      </Group>
    </Modal>
  );
}
