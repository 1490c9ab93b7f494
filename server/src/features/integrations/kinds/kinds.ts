import type { IntegrationConnection } from '@portico/contract/integration-kinds.ts';
import { type IntegrationType } from '@portico/contract/integration-names.ts';
import { testOpenid } from '../openid/openid.ts';
import { testTable } from '../pms/test-table.ts';
import { testSms } from '../sms/send.ts';
import { testSmtp } from '../smtp/smtp.ts';
import { testWebhook } from '../webhook/send.ts';
import type { KindRules } from './kind.ts';

type Of<T extends IntegrationConnection['type']> = Extract<IntegrationConnection, { type: T }>;

const rules: {
  pms: KindRules<Of<'postgresql'>>;
  sms: KindRules<Of<'netgsm' | 'sms-http'>>;
  webhook: KindRules<Of<'webhook'>>;
  email: KindRules<Of<'smtp'>>;
  social: KindRules<Of<'openid'>>;
} = {
  pms: { test: testTable, field: 'db_host', proven: true },
  // A message costs money and a letter disturbs: these are tried when asked to.
  sms: { test: testSms, field: 'to', proven: false },
  webhook: { test: testWebhook, field: 'url', proven: false },
  email: { test: testSmtp, field: 'host', proven: true },
  social: { test: testOpenid, field: 'issuer', proven: true },
};

export const rulesOf = (type: IntegrationType) => rules[type] as unknown as KindRules<IntegrationConnection>;
