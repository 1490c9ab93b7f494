import { Button, Group, Progress } from '@mantine/core';
import type { VisitorImport } from '@portico/contract/imports.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isFileOf, useIsSending, useSendFile, useStart } from '#features/imports/imports.api.ts';
import classes from '#features/imports/imports.module.css';
import { formatBytes, formatDateTime, formatNumber } from '#lib/format.ts';
import { Card } from '#ui/card.tsx';
import { CsvFileField } from '#ui/csv-file-field.tsx';
import { CsvRows } from '#ui/csv-rows.tsx';
import { Facts } from '#ui/facts.tsx';
import { Notice } from '#ui/notice.tsx';

/** Lists the past sessions of a file that would not be imported, or were not. */
export function SkippedSessions({ it }: { it: VisitorImport }) {
  const { t } = useTranslation('imports');
  const rows = it.sessions?.skipped ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={t('skippedSessions')}>
      <CsvRows
        label={t('skippedSessions')}
        head={[t('reason'), t('count'), t('firstLine')]}
        rows={rows.map(row => [row.message, formatNumber(row.count), row.line === null ? '–' : String(row.line)])}
      />
    </Card>
  );
}

/** The way of a file here, or where it stopped: the file is in the memory of the tab that sent it. */
function Arrival({ it }: { it: VisitorImport }) {
  const { t } = useTranslation('imports');
  const isSending = useIsSending(it.id);
  const send = useSendFile();
  const [other, setOther] = useState<string>();
  if (!it.sessions) return null;
  const { bytes, received } = it.sessions;
  const take = (file: File | undefined) => {
    if (!file) return;
    const isSame = isFileOf(it, file);
    setOther(isSame ? undefined : file.name);
    if (isSame) send.mutate({ id: it.id, file });
  };
  const words = t(it.state === 'reading' ? 'readingText' : 'arrivingText');
  const share = t('arrived', { received: formatBytes(received), bytes: formatBytes(bytes) });
  return (
    <Card>
      {it.state === 'reading' || isSending ? (
        <div className={classes.choices} aria-live="polite">
          <Progress value={(100 * received) / bytes} aria-label={share} animated />
          <p className={classes.help}>{share}</p>
          <p className={classes.help}>{words}</p>
        </div>
      ) : (
        <div className={classes.fields}>
          <Notice tone="warn" title={t('stopped')}>
            {share}
          </Notice>
          <CsvFileField
            file={undefined}
            pending={false}
            limits={formatBytes(bytes)}
            drop={it.file_name}
            accept=".sql,.txt"
            onFile={take}
          />
          {other && (
            <Notice tone="bad" title={t('refused')}>
              {t('otherFile', { other, name: it.file_name, size: formatBytes(bytes) })}
            </Notice>
          )}
        </div>
      )}
    </Card>
  );
}

/** A file of past sessions: its way here, why it could not be read, or its report. */
export function SessionsReport({ it }: { it: VisitorImport }) {
  const { t } = useTranslation(['imports', 'visitors']);
  const start = useStart(it.id);
  const { sessions } = it;
  if (!sessions) return null;
  if (it.state === 'failed')
    return (
      <Notice tone="bad" title={t('refused')}>
        {sessions.problem}
      </Notice>
    );
  if (it.state !== 'ready') return <Arrival it={it} />;
  const period =
    sessions.first_at && sessions.last_at
      ? `${formatDateTime(sessions.first_at)} – ${formatDateTime(sessions.last_at)}`
      : '–';
  return (
    <>
      <Card title={t('report')}>
        <Facts
          facts={[
            { label: t('plan.created'), value: formatNumber(it.created) },
            { label: t('plan.skipped'), value: formatNumber(it.skipped) },
            { label: t('sessionPeriod'), value: period },
            { label: t('withoutMac'), value: formatNumber(sessions.without_mac) },
          ]}
        />
        <p className={classes.help}>{t('sessionsHelp')}</p>
      </Card>
      <SkippedSessions it={it} />
      <Group justify="flex-end" className={classes.foot ?? ''}>
        {it.created === 0 && <p className={classes.help}>{t('nothing')}</p>}
        <Button disabled={it.created === 0} loading={start.isPending} onClick={() => start.mutate()}>
          {t('startSessions', { count: it.created })}
        </Button>
      </Group>
    </>
  );
}
