import type { AuditKind, AuditVerb } from '@portico/contract/audit-words.ts';
import { useTranslation } from 'react-i18next';

/** The log's own words in the language of the interface. A kind that has no word here is shown as it is. */
export function useAuditWords() {
  const { t } = useTranslation('audit');
  return {
    verb: (verb: AuditVerb) => t(`verb.${verb}`),
    kind: (kind: string) => t(`kind.${kind as AuditKind}`, { defaultValue: kind.replaceAll('-', ' ') }),
  };
}
