import type { MarketingChannel } from './consent-kinds.ts';
import { type InEveryLanguage, inEveryLanguage } from './portal-languages.ts';
import type { PerLanguage } from './portal-messages.ts';

/** In the order of `portalLanguages`. */
const everywhere = (...texts: InEveryLanguage): PerLanguage => inEveryLanguage(texts);

/** The sentences that the editor starts with when a channel is turned on. */
export const suggestedMarketing: Record<MarketingChannel, PerLanguage> = {
  email: everywhere(
    'Kampanya ve haberlerin bana e-postayla gönderilmesine izin veriyorum.',
    'You may send me news and offers by e-mail.',
    'Sie dürfen mir Neuigkeiten und Angebote per E-Mail senden.',
    'Я согласен получать новости и предложения по электронной почте.',
    'أوافق على تلقي الأخبار والعروض بالبريد الإلكتروني.',
    'J’accepte de recevoir des actualités et des offres par e-mail.',
    'Acepto recibir novedades y ofertas por correo electrónico.',
    'Accetto di ricevere novità e offerte via e-mail.',
    'با دریافت خبرها و پیشنهادها با ایمیل موافقم.',
    'Я погоджуюся отримувати новини та пропозиції ел. поштою.',
    '我同意通过电子邮件接收资讯和优惠。',
    'お知らせとご案内をメールで受け取ることに同意します。',
  ),
  sms: everywhere(
    'Kampanya ve haberlerin bana SMS ile gönderilmesine izin veriyorum.',
    'You may send me news and offers by SMS.',
    'Sie dürfen mir Neuigkeiten und Angebote per SMS senden.',
    'Я согласен получать новости и предложения по СМС.',
    'أوافق على تلقي الأخبار والعروض برسائل نصية.',
    'J’accepte de recevoir des actualités et des offres par SMS.',
    'Acepto recibir novedades y ofertas por SMS.',
    'Accetto di ricevere novità e offerte via SMS.',
    'با دریافت خبرها و پیشنهادها با پیامک موافقم.',
    'Я погоджуюся отримувати новини та пропозиції за допомогою SMS.',
    '我同意通过短信接收资讯和优惠。',
    'お知らせとご案内をSMSで受け取ることに同意します。',
  ),
  call: everywhere(
    'Kampanya ve haberler için telefonla aranmaya izin veriyorum.',
    'You may call me about news and offers.',
    'Sie dürfen mich wegen Neuigkeiten und Angeboten anrufen.',
    'Я согласен получать звонки о новостях и предложениях.',
    'أوافق على الاتصال بي هاتفيًا بشأن الأخبار والعروض.',
    'J’accepte d’être appelé au sujet d’actualités et d’offres.',
    'Acepto que me llamen para informarme de novedades y ofertas.',
    'Accetto di essere chiamato per novità e offerte.',
    'با تماس تلفنی دربارهٔ خبرها و پیشنهادها موافقم.',
    'Я погоджуюся отримувати дзвінки з новинами та пропозиціями.',
    '我同意接听有关资讯和优惠的来电。',
    'お知らせとご案内を電話で受けることに同意します。',
  ),
};
