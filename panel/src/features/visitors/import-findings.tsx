import type { ImportPreview } from '@portico/contract/visitor-import.ts';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '#lib/format.ts';
import classes from '#ui/csv-import.module.css';
import { CsvRows } from '#ui/csv-rows.tsx';
import { Notice } from '#ui/notice.tsx';

/** What an import would do: the problems by line, or the first of those it would make. */
export function ImportFindings({ found }: { found: ImportPreview }) {
  const { t } = useTranslation('visitors');
  const { problems, problem_count, rows, valid, ignored, sample } = found;
  return (
    <section aria-live="polite" className={classes.findings}>
      {problem_count > 0 ? (
        <Notice tone="bad" title={t('import.problems', { count: rows - valid, shown: formatNumber(rows - valid) })}>
          {t('import.nothing', { valid: formatNumber(valid), rows: formatNumber(rows) })}
        </Notice>
      ) : (
        <Notice tone="info" title={t('import.ready', { count: rows, shown: formatNumber(rows) })} />
      )}
      {ignored.length > 0 && <p className={classes.help}>{t('import.ignored', { columns: ignored.join(', ') })}</p>}
      {problems.length > 0 ? (
        <CsvRows
          label={t('import.problemList')}
          head={[t('import.line'), t('import.column'), t('import.problem')]}
          rows={problems.map(it => [String(it.line), it.column, it.message])}
        />
      ) : (
        <CsvRows
          label={t('import.sample')}
          head={[t('import.line'), t('name'), t('method'), t('profile')]}
          rows={sample.map(it => [
            String(it.line),
            it.name,
            `${t(`provider.${it.provider_type as 'username'}`)} ${it.provider_id ?? ''}`,
            it.profile ?? '–',
          ])}
        />
      )}
      {problem_count > problems.length && (
        <p className={classes.help}>{t('import.more', { count: problem_count - problems.length })}</p>
      )}
    </section>
  );
}
