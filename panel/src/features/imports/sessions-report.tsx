import { Button, Group, Progress } from '@mantine/core';
import type { VisitorImport } from '@portico/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { useStart } from '#features/imports/imports.api.ts';
import classes from '#features/imports/imports.module.css';
import { formatDateTime, formatNumber } from '#lib/format.ts';
import { Card } from '#ui/card.tsx';
import { CsvRows } from '#ui/csv-rows.tsx';
import { Facts } from '#ui/facts.tsx';
import { Notice } from '#ui/notice.tsx';

/** What of a file of past sessions would not be, or was not imported. */
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
  if (it.state !== 'ready') {
    const words = t(it.state === 'reading' ? 'readingText' : 'arrivingText');
    return (
      <Card>
        <div className={classes.choices} aria-live="polite">
          <Progress value={(100 * sessions.received) / sessions.bytes} aria-label={words} animated />
          <p className={classes.help}>{words}</p>
        </div>
      </Card>
    );
  }
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
