import type { ImportPreview } from '@portico/contract/visitor-import.ts';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '#lib/format.ts';
import { CsvFindings } from '#ui/csv-findings.tsx';
import { Notice } from '#ui/notice.tsx';

/** The preview of a visitor import. */
export function ImportPreviewFacts({ found }: { found: ImportPreview }) {
  const { t } = useTranslation(['visitors', 'csv-import']);
  const { warnings, warning_count } = found;
  const lines = warnings.map(it => it.line).join(', ');
  const more = warning_count - warnings.length;
  return (
    <CsvFindings
      found={found}
      ready={t('import.ready', { count: found.rows, shown: formatNumber(found.rows) })}
      warning={
        warning_count > 0 && (
          <Notice tone="warn" title={t('import.unsold', { count: warning_count, shown: formatNumber(warning_count) })}>
            {t('import.unsoldText')} {t('import.lines', { lines })} {more > 0 && t('csv-import:more', { count: more })}
          </Notice>
        )
      }
      head={[t('name'), t('method'), t('profile')]}
      sample={found.sample.map(it => ({
        line: it.line,
        cells: [
          it.name,
          `${t(`provider.${it.provider_type as 'username'}`)} ${it.provider_id ?? ''}`,
          it.profile ?? '–',
        ],
      }))}
    />
  );
}
