import type { MarketingChannel } from './consent-kinds.ts';
import type { PerLanguage } from './portal-messages.ts';

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
