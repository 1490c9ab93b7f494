import { type IntegrationConnection, integrationKinds } from '@portico/contract/integration-kinds.ts';
import type { IntegrationSlug, PaymentSlug } from '@portico/contract/integration-names.ts';
import { testCloud } from '../cloud/hotels.ts';
import { testFias } from '../fias/test-link.ts';
import { testOpenid } from '../openid/openid.ts';
import { testPayment } from '../payment/account.ts';
import { testTable } from '../pms/test-table.ts';
import { testSms } from '../sms/send.ts';
import { testSmtp } from '../smtp/smtp.ts';
import { testWebhook } from '../webhook/send.ts';
import type { KindRules } from './kind.ts';

type Of<T extends IntegrationConnection['type']> = Extract<IntegrationConnection, { type: T }>;

const rules: {
  database: KindRules<Of<'postgresql'>>;
  link: KindRules<Of<'fias'>>;
  mews: KindRules<Of<'mews'>>;
  apaleo: KindRules<Of<'apaleo'>>;
  sms: KindRules<Of<'netgsm' | 'sms-http'>>;
  webhook: KindRules<Of<'webhook'>>;
  email: KindRules<Of<'smtp'>>;
  social: KindRules<Of<'openid'>>;
  payment: KindRules<Of<PaymentSlug>>;
} = {
  database: {
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
  link: { test: testFias, field: 'host', testedOnSave: true },
  mews: {
    test: testCloud,
    field: 'environment',
    problemFields: { login_refused: 'access_token', no_rights: 'access_token', no_such_thing: 'service_id' },
    testedOnSave: true,
  },
  apaleo: {
    test: testCloud,
    field: 'client_id',
    problemFields: { login_refused: 'client_secret', no_such_thing: 'property_id' },
    testedOnSave: true,
  },
  // A test SMS costs money and a test delivery disturbs the receiver: these are tested on request only.
  sms: { test: testSms, field: 'to', testedOnSave: false },
  webhook: { test: testWebhook, field: 'url', testedOnSave: false },
  email: { test: testSmtp, field: 'host', testedOnSave: true },
  social: { test: testOpenid, field: 'issuer', testedOnSave: true },
  payment: { test: testPayment, field: 'type', testedOnSave: true },
};

/** Hotels are connected in several ways, all other types in one. */
export const rulesOf = (slug: IntegrationSlug) => {
  const { type, connection_type } = integrationKinds.find(it => it.slug === slug)!;
  const ofHotels = slug === 'mews' || slug === 'apaleo' ? slug : 'link';
  const key = type !== 'pms' ? type : connection_type === 'database' ? 'database' : ofHotels;
  return rules[key] as KindRules<IntegrationConnection>;
};
