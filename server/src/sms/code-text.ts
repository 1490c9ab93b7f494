import { fill, type PortalLanguage } from '@portico/contract/errors.ts';

const texts: Readonly<Record<PortalLanguage, string>> = {
  tr: '{place} Wi-Fi kodunuz: {code}. 5 dakika geçerlidir.',
  en: 'Your Wi-Fi code for {place}: {code}. Valid for 5 minutes.',
  de: 'Ihr WLAN-Code für {place}: {code}. Er gilt 5 Minuten.',
  ru: 'Ваш код Wi-Fi ({place}): {code}. Действует 5 минут.',
  ar: 'رمز الواي فاي الخاص بك ({place}): {code}. صالح لمدة 5 دقائق.',
};

/** The message that carries a code; short enough for one SMS in Latin letters. */
export const codeText = (language: PortalLanguage, it: { place: string; code: string }): string =>
  fill(texts[language], { place: it.place.slice(0, 40), code: it.code });
