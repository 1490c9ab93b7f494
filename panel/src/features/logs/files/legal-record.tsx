import { Button } from '@mantine/core';
import { dropReportDays } from '@portico/contract/log-intervals.ts';
import type { LogRecordState } from '@portico/contract/logs.ts';
import { IconShieldCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type useLogRecord, useVerifyRecord } from '#features/logs/logs.api.ts';
import classes from '#features/logs/logs.module.css';
import { formatNumber } from '#lib/format.ts';
import { type Fact, Facts } from '#ui/facts.tsx';
import { Notice } from '#ui/notice.tsx';
import { Nothing, Panel } from '#ui/panel.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

type Query = ReturnType<typeof useLogRecord>;

/** Warnings about a damaged record or disabled logging. */
export function RecordNotices({ record }: { record: LogRecordState | undefined }) {
  const { t } = useTranslation('logs');
  if (!record) return null;
  const { problem } = record;
  return (
    <>
      {problem && (
        <Notice tone="bad" title={t('broken')}>
          {t('brokenText', { where: problem.where, what: t(`problems.${problem.what}`) })}
        </Notice>
      )}
      {!record.logging_enabled && (
        <Notice tone="warn" title={t('off')}>
          {t('offText')}
        </Notice>
      )}
    </>
  );
}

/** The state of the record, and the button that checks it now. */
export function RecordFacts({ deviceId, query }: { deviceId: string; query: Query }) {
  const { t } = useTranslation('logs');
  const verify = useVerifyRecord(deviceId);
  const record = query.data?.data;
  const facts: Fact[] = record
    ? [
        { label: t('lastLine'), value: <RelativeTime time={record.last_line_at} /> },
        { label: t('sealedFiles'), value: formatNumber(record.sealed_files) },
        {
          label: t('stampedFiles'),
          value: record.stamped_files > 0 ? formatNumber(record.stamped_files) : t('noStamps'),
        },
        {
          label: t('chain'),
          value: record.checked_at ? t(record.problem ? 'chainBroken' : 'chainWhole') : t('unchecked'),
        },
        { label: t('checked'), value: <RelativeTime time={record.checked_at} /> },
        { label: t('kept'), value: t('days', { count: record.retention_days }) },
      ]
    : [];
  return (
    <Panel
      title={t('record')}
      query={query}
      control={
        record &&
        record.sealed_files > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconShieldCheck size={16} />}
            loading={verify.isPending}
            onClick={() => verify.mutate()}
          >
            {t('verifyNow')}
          </Button>
        )
      }
    >
      <Facts facts={facts} />
    </Panel>
  );
}

/** Dropped lines by reason, with advice. */
export function DroppedLines({ query }: { query: Query }) {
  const { t } = useTranslation('logs');
  const record = query.data?.data;
  const own = record?.lost ?? [];
  const rows = [
    ...own,
    ...(['overflow', 'unknown_lines', 'unknown_flows'] as const).flatMap(reason => {
      const lines = record?.[reason] ?? 0;
      return lines > 0 ? [{ reason, lines, last_at: null }] : [];
    }),
  ];
  return (
    <Panel
      title={t('lost')}
      note={t('lastDays', { count: dropReportDays })}
      query={query}
      empty={rows.length === 0 && <Nothing>{t('nothingLost')}</Nothing>}
    >
      {own.length === 0 && <p className={classes.whole}>{t('nothingLost')}</p>}
      <ul className={classes.lost}>
        {rows.map(({ reason, lines, last_at }) => (
          <li key={reason}>
            <strong>{t(`reasons.${reason}`)}</strong>
            <b>{formatNumber(lines)}</b>
            <p>{t(`reasonHelp.${reason}`)}</p>
            {last_at && (
              <small>
                <RelativeTime time={last_at} />
              </small>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
