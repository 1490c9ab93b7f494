import type { ImportPreview } from '@portico/contract/visitor-import.ts';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '#lib/format.ts';
import { CsvFindings } from '#ui/csv-findings.tsx';

/** The preview of a visitor import. */
export function ImportPreviewFacts({ found }: { found: ImportPreview }) {
  const { t } = useTranslation('visitors');
  return (
    <CsvFindings
      found={found}
      ready={t('import.ready', { count: found.rows, shown: formatNumber(found.rows) })}
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
