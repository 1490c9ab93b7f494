import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '#lib/format.ts';
import classes from '#ui/csv-import.module.css';
import { CsvRows } from '#ui/csv-rows.tsx';
import { Notice } from '#ui/notice.tsx';

interface Props {
  found: {
    rows: number;
    valid: number;
    ignored: readonly string[];
    problem_count: number;
    problems: readonly { line: number; column: string; message: string }[];
  };
  /** Shown when all lines are valid. */
  ready: string;
  /** Headers and cells of the first lines, without line numbers. */
  head: readonly string[];
  sample: readonly { line: number; cells: readonly string[] }[];
  /** A notice about data that the import leaves out. */
  warning?: ReactNode;
}

/** The preview of an import: the errors by line, or the first entries that it would create. */
export function CsvFindings({ found, ready, head, sample, warning }: Props) {
  const { t } = useTranslation('csv-import');
  const { problems, problem_count, rows, valid, ignored } = found;
  return (
    <section aria-live="polite" className={classes.findings}>
      {problem_count > 0 ? (
        <Notice tone="bad" title={t('problems', { count: rows - valid, shown: formatNumber(rows - valid) })}>
          {t('nothing', { valid: formatNumber(valid), rows: formatNumber(rows) })}
        </Notice>
      ) : (
        <Notice tone="info" title={ready} />
      )}
      {warning}
      {ignored.length > 0 && <p className={classes.help}>{t('ignored', { columns: ignored.join(', ') })}</p>}
      {problems.length > 0 ? (
        <CsvRows
          label={t('problemList')}
          head={[t('line'), t('column'), t('problem')]}
          rows={problems.map(it => [String(it.line), it.column, it.message])}
        />
      ) : (
        <CsvRows
          label={t('sample')}
          head={[t('line'), ...head]}
          rows={sample.map(it => [String(it.line), ...it.cells])}
        />
      )}
      {problem_count > problems.length && (
        <p className={classes.help}>{t('more', { count: problem_count - problems.length })}</p>
      )}
    </section>
  );
}
