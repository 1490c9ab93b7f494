import type { AuditKind, AuditVerb } from '@portico/contract/audit-words.ts';
import { useTranslation } from 'react-i18next';

/** The labels of actions and object types. An unknown type is shown as it is. */
export function useAuditWords() {
  const { t } = useTranslation('audit');
  return {
    verb: (verb: AuditVerb) => t(`verb.${verb}`),
    kind: (kind: string) => t(`kind.${kind as AuditKind}`, { defaultValue: kind.replaceAll('-', ' ') }),
  };
}
