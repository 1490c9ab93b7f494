import { Button, Group, Modal } from '@mantine/core';
import type { ImportPreview } from '@portico/contract/visitor-import.ts';
import type { Credentials } from '@portico/contract/visitors.ts';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '#features/visitors/import.module.css';
import { ImportFindings } from '#features/visitors/import-findings.tsx';
import { useDownloadTemplate, useImport, useImportPreview } from '#features/visitors/visitors.api.ts';
import { ApiError } from '#lib/client.ts';
import { formatNumber } from '#lib/format.ts';
import { lazyPart } from '#lib/lazy-part.tsx';
import { LocationField, useWorkingLocation } from '#ui/location-field.tsx';
import modal from '#ui/modal.module.css';
import { Notice } from '#ui/notice.tsx';

const CardsDialog = lazyPart(() => import('#features/visitors/cards-dialog.tsx'), 'CardsDialog');

/** A CSV file: what it would do is shown first, then it is done whole or not at all. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['visitors', 'common']);
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
        <FileField file={file} disabled={!locationId} pending={preview.isPending} onFile={take} />
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
          <Notice tone="bad" title={t('import.refused')}>
            {problems.slice(0, 5).join(' ')}
          </Notice>
        )}
        {seen && <ImportFindings found={seen} />}
      </div>
      <Group justify="flex-end" gap={8} className={modal.foot ?? ''}>
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button onClick={confirm} loading={run.isPending} disabled={!seen || seen.problem_count > 0}>
          {seen && seen.problem_count === 0
            ? t('import.confirm', { count: seen.rows, shown: formatNumber(seen.rows) })
            : t('import.do')}
        </Button>
      </Group>
    </Modal>
  );
}

interface FileProps {
  file: File | undefined;
  disabled: boolean;
  pending: boolean;
  onFile: (file: File | undefined) => void;
}

function FileField({ file, disabled, pending, onFile }: FileProps) {
  const { t } = useTranslation('visitors');
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drag = (inside: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(inside && !disabled);
  };
  return (
    // biome-ignore lint: dropping is a second way; the button below is the one for everybody.
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={event => {
        drag(false)(event);
        if (!disabled) onFile(event.dataTransfer.files[0]);
      }}
    >
      <IconFileSpreadsheet size={26} stroke={1.5} aria-hidden />
      <p>
        <strong>{file?.name ?? t('import.drop')}</strong>
        <span>{t('import.limits')}</span>
      </p>
      <Button
        variant={file ? 'default' : 'filled'}
        loading={pending}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {t(file ? 'import.other' : 'import.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,text/csv"
        hidden
        aria-label={t('import.choose')}
        onChange={event => {
          onFile(event.currentTarget.files?.[0]);
          // The same file can be chosen again once it was corrected.
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
