import type { AuditEntry } from '@portico/contract/audit.ts';
import { useTranslation } from 'react-i18next';

export const verbs = [
  'create',
  'update',
  'delete',
  'grant',
  'revoke',
  'invite',
  'accept',
  'deny',
  'sign-in',
  'end',
  'export',
  'look-up',
] as const satisfies readonly AuditEntry['verb'][];

export const kinds = [
  'user',
  'member',
  'role',
  'invitation',
  'location',
  'device',
  'network',
  'mac-rule',
  'device-certificate',
  'portal',
  'profile',
  'visitor',
  'integration',
  'tenant',
  'tenant-user',
  'domain',
  'license-request',
  'log-file',
  'log-tail',
  'menu-category',
  'menu-desk',
  'menu-product',
  'advertisement',
  'portal-rule',
  'survey',
  'picture',
  'session',
  'sign-in',
  'visitor-list',
  'session-list',
  'audit-log',
  'guest-identity',
  'report-mail',
  'token',
] as const;

/** The log's own words in the language of the interface. A kind that has no word here is shown as it is. */
export function useAuditWords() {
  const { t } = useTranslation('audit');
  return {
    verb: (verb: AuditEntry['verb']) => t(`verb.${verb}`),
    kind: (kind: string) => t(`kind.${kind as (typeof kinds)[number]}`, { defaultValue: kind.replaceAll('-', ' ') }),
  };
}
