import { auditKindText, auditVerbText } from '@portico/contract/audit-texts.ts';
import type { AuditVerb } from '@portico/contract/audit-words.ts';
import { useTranslation } from 'react-i18next';
import type fields from '#features/audit/audit-fields.en.json';
import { language } from '#lib/language.ts';

type AuditField = keyof typeof fields;

/** The labels of actions, fields and object types. */
export function useAuditWords() {
  const { t } = useTranslation(['audit-fields']);
  return {
    verb: (verb: AuditVerb, kind?: string) => auditVerbText(language(), verb, kind),
    /** A field of the API by the word of its screen. One without a word keeps its name. */
    field: (field: string) => t(`audit-fields:${field as AuditField}`, { defaultValue: field.replaceAll('_', ' ') }),
    kind: (kind: string) => auditKindText(language(), kind),
  };
}
