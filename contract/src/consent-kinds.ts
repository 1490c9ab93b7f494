/** Marketing consents of guests. Without zod, so that screens can use this without the schemas. */

/** By which a guest may be sent news and offers. Each is allowed apart. */
export const marketingChannels = ['email', 'sms', 'call'] as const;
export type MarketingChannel = (typeof marketingChannels)[number];

/** Where a portal keeps its sentence for each channel. A channel without a sentence is not asked for. */
export const marketingKeys = {
  email: 'marketing_email',
  sms: 'marketing_sms',
  call: 'marketing_call',
} as const satisfies Record<MarketingChannel, string>;
export type MarketingKey = (typeof marketingKeys)[MarketingChannel];

export const consentStates = ['given', 'withdrawn'] as const;
export type ConsentState = (typeof consentStates)[number];
/** Where the guest gave the consent. */
export const consentSources = ['sign-in', 'own-data'] as const;
/**
 * Who ended a consent: the guest; an administrator, whom the guest asked; the erasure of the visitor; the guest's next consent, to
 * another sentence or for another address; a change of the visitor's address or number by anybody but the guest.
 */
export const consentEnders = ['guest', 'staff', 'erasure', 'renewal', 'address'] as const;
