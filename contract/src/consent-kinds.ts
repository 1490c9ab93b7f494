import type { PerLanguage } from './portal-messages.ts';

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
/** Who ended it: the guest; an administrator, whom the guest asked; the erasure of the visitor. */
export const consentEnders = ['guest', 'staff', 'erasure'] as const;

const everywhere = (tr: string, en: string, de: string, ru: string, ar: string): PerLanguage => ({
  tr,
  en,
  de,
  ru,
  ar,
});

/** The sentences that the editor starts with when a channel is turned on. */
export const suggestedMarketing: Record<MarketingChannel, PerLanguage> = {
  email: everywhere(
    'Kampanya ve haberlerin bana e-postayla gönderilmesine izin veriyorum.',
    'You may send me news and offers by e-mail.',
    'Sie dürfen mir Neuigkeiten und Angebote per E-Mail senden.',
    'Я согласен получать новости и предложения по электронной почте.',
    'أوافق على تلقي الأخبار والعروض بالبريد الإلكتروني.',
  ),
  sms: everywhere(
    'Kampanya ve haberlerin bana SMS ile gönderilmesine izin veriyorum.',
    'You may send me news and offers by SMS.',
    'Sie dürfen mir Neuigkeiten und Angebote per SMS senden.',
    'Я согласен получать новости и предложения по СМС.',
    'أوافق على تلقي الأخبار والعروض برسائل نصية.',
  ),
  call: everywhere(
    'Kampanya ve haberler için telefonla aranmaya izin veriyorum.',
    'You may call me about news and offers.',
    'Sie dürfen mich wegen Neuigkeiten und Angeboten anrufen.',
    'Я согласен получать звонки о новостях и предложениях.',
    'أوافق على الاتصال بي هاتفيًا بشأن الأخبار والعروض.',
  ),
};
