import type { AuditKind, AuditVerb } from '@portico/contract/audit-words.ts';
import { useTranslation } from 'react-i18next';
import type fields from '#features/audit/audit-fields.en.json';

type AuditField = keyof typeof fields;

/** The labels of actions, fields and object types. An unknown type is shown as it is. */
export function useAuditWords() {
  const { t } = useTranslation(['audit', 'audit-fields']);
  return {
    /** Vouchers are handed out by the verb that otherwise gives permissions. */
    verb: (verb: AuditVerb, kind?: string) =>
      t(verb === 'grant' && kind === 'voucher-batch' ? 'handedOut' : `verb.${verb}`),
    /** A field of the API by the word of its screen. One without a word keeps its name. */
    field: (field: string) => t(`audit-fields:${field as AuditField}`, { defaultValue: field.replaceAll('_', ' ') }),
    kind: (kind: string) => t(`kind.${kind as AuditKind}`, { defaultValue: kind.replaceAll('-', ' ') }),
  };
}
