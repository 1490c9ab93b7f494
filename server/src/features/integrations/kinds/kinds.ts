import type { IntegrationConnection } from '@portico/contract/integration-kinds.ts';
import type { IntegrationType, PaymentSlug } from '@portico/contract/integration-names.ts';
import { testOpenid } from '../openid/openid.ts';
import { testPayment } from '../payment/account.ts';
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
  payment: KindRules<Of<PaymentSlug>>;
} = {
  pms: {
    test: testTable,
    field: 'db_host',
    problemFields: {
      login_refused: 'db_username',
      no_database: 'db_name',
      no_table: 'db_table',
      not_there: 'db_table',
      no_rights: 'db_table',
    },
    testedOnSave: true,
  },
  // A test SMS costs money and a test delivery disturbs the receiver: these are tested on request only.
  sms: { test: testSms, field: 'to', testedOnSave: false },
  webhook: { test: testWebhook, field: 'url', testedOnSave: false },
  email: { test: testSmtp, field: 'host', testedOnSave: true },
  social: { test: testOpenid, field: 'issuer', testedOnSave: true },
  payment: { test: testPayment, field: 'type', testedOnSave: true },
};

export const rulesOf = (type: IntegrationType) => rules[type] as KindRules<IntegrationConnection>;
