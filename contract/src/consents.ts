import { z } from 'zod';
import { consentEnders, consentSources, consentStates, marketingChannels } from './consent-kinds.ts';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, moment, pageQuery, queryList, text, time } from './fields.ts';

const named = z.object({ id, name: z.string() });

/** One consent of a guest to news and offers by one channel, from its beginning to its end. */
export const marketingConsent = z.object({
  id,
  channel: z.enum(marketingChannels),
  state: z.enum(consentStates),
  /** The address or number that the consent is about; null after the visitor was erased, when only its hash remains. */
  recipient: z.string().nullable(),
  /** Whether the guest has proven that the address or number is its own; null after the visitor was erased. */
  confirmed: z.boolean().nullable(),
  visitor: named.nullable(),
  location: named,
  source: z.enum(consentSources),
  /** The sentence beside the box, word for word, its hash and its language. */
  text: z.string(),
  version: z.string(),
  language: z.string(),
  given_at: time,
  withdrawn_at: time.nullable(),
  withdrawn_by: z.enum(consentEnders).nullable(),
});
export type MarketingConsent = z.output<typeof marketingConsent>;

/** A sentence that guests allowed, on the pages of the locations that the caller sees. */
export const consentText = z.object({
  version: z.string(),
  text: z.string(),
  channel: z.enum(marketingChannels),
  language: z.string(),
  /** The consents to it, ended ones too. */
  consents: z.number(),
  first_given_at: time,
});
export type ConsentText = z.output<typeof consentText>;

/** `from` and `to` limit the latest change of a consent: when it was given, or withdrawn. */
const filter = {
  location_id: id.optional(),
  channels: queryList(z.enum(marketingChannels)),
  states: queryList(z.enum(consentStates)),
  /** Hashes of the sentences that the guests saw. */
  versions: queryList(z.string().regex(/^[0-9a-f]{32}$/)),
  from: moment.optional(),
  to: moment.optional(),
  /** A whole e-mail address or phone number. It also finds consents of erased visitors. */
  search: text.optional(),
  visitor_id: id.optional(),
};
export const consentFilter = z.object(filter);
export type ConsentFilter = z.output<typeof consentFilter>;

export const consentsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/consent',
    access: 'view-clients',
    summary: 'Marketing consents by channel, the latest change first',
    query: z.object({ ...pageQuery(), ...filter }),
    reply: page(marketingConsent),
  }),
  texts: endpoint({
    method: 'GET',
    path: '/v1/panel/consent/text',
    access: 'view-clients',
    summary: 'The sentences that guests allowed, the newest first; 100 at most',
    query: consentFilter.pick({ location_id: true, channels: true }),
    reply: one(z.array(consentText)),
  }),
  export: endpoint({
    method: 'GET',
    path: '/v1/panel/consent/export',
    access: 'view-clients',
    summary: 'The same as a CSV file',
    query: consentFilter,
    reply: 'csv',
  }),
  iys: endpoint({
    method: 'GET',
    path: '/v1/panel/consent/iys',
    access: 'view-clients',
    summary: 'The latest state per recipient and channel as a CSV file for İYS, the consent register of Türkiye',
    description:
      'Columns and values are those of a consent in the interface of İYS: `consentDate`, `source`, `recipient`, `recipientType`, `status`, `type`. Times are those of Türkiye. Phone numbers of other countries are left out.',
    query: consentFilter.omit({ states: true, versions: true, search: true, visitor_id: true }),
    reply: 'csv',
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/v1/panel/consent/:id/withdraw',
    access: 'update-clients',
    summary: 'Withdraw a consent for a guest who asked for it; once withdrawn it stays so',
    params: idParams,
    reply: one(marketingConsent),
    status: 200,
  }),
} as const;
