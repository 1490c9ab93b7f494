import { fill } from '@portico/contract/errors.ts';
import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import { breakLinks } from '#lib/break-links.ts';

/**
 * The message that carries a code. It fits into one SMS: 160 characters of the GSM alphabet, or 70 of any other. Turkish has
 * letters outside of that alphabet (ç, ğ, ı, İ, ş), so its message is in plain letters, as Turkish operators write theirs.
 * Languages with other letters need the other alphabet, so their texts are short. French, Spanish and Italian do with the accents
 * of the GSM alphabet: é, è, ù, à, ò, ñ.
 */
const texts: Readonly<Record<ShippedLanguage, string>> = {
  tr: '{place} Wi-Fi kodunuz: {code}. 5 dakika gecerlidir.',
  en: 'Your Wi-Fi code for {place}: {code}. Valid for 5 minutes.',
  de: 'Ihr WLAN-Code für {place}: {code}. Er gilt 5 Minuten.',
  ru: '{place}: код Wi-Fi {code}',
  ar: '{place}: رمز الواي فاي {code}',
  fr: 'Votre code Wi-Fi pour {place} : {code}. Valable 5 minutes.',
  es: '{code} es su clave Wi-Fi para {place}. Caduca en 5 minutos.',
  it: 'Il tuo codice Wi-Fi per {place}: {code}. Vale 5 minuti.',
  fa: '{place}: کد وای‌فای {code}',
  uk: '{place}: код Wi-Fi {code}',
  zh: '{place} Wi-Fi 验证码：{code}',
  ja: '{place} Wi-Fi 認証コード：{code}',
};

/** The GSM 7-bit alphabet (3GPP TS 23.038) without its extension, whose characters take two places. */
const gsm = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
export const isGsm = (text: string): boolean => [...text].every(it => gsm.has(it));

const plainLetters: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  đ: 'd',
  '’': "'",
  '–': '-',
  '“': '"',
  '”': '"',
};

/** A name in the GSM alphabet, as far as its letters have a plain form; others are left out. */
const inGsm = (name: string): string =>
  [...name.normalize('NFC')]
    .map(it => (gsm.has(it) ? it : (plainLetters[it] ?? it.normalize('NFD')[0]!)))
    .filter(it => gsm.has(it))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

const maxPlace = 40;

/** A text that fits into one SMS: the name of the place is shortened, in letters that the text's alphabet has. */
export function oneSms(
  text: string,
  {
    place,
    last = '',
    ...values
  }: { readonly place: string; readonly last?: string; readonly [name: string]: string | undefined },
): string {
  const frame = fill(text, { ...values, place: '' });
  const usesGsm = isGsm(frame);
  const limit = usesGsm ? 160 : 70;
  // A phone would make a link of `name.example`, and the name is the operator's, while the number is of any person.
  const plain = breakLinks(place, ' ');
  const name = usesGsm ? inGsm(plain) || 'Wi-Fi' : plain;
  // A long last line leaves no room for the name of the place; the name tells the guest more.
  const end = limit - frame.length - last.length >= Math.min(name.length, 10) ? last : '';
  const room = Math.max(0, Math.min(maxPlace, limit - frame.length - end.length));
  return fill(text, { ...values, place: shorten(name, room) }) + end;
}

/** Shortens a name to the whole words that fit. A word that would leave half of the room empty is cut, but not within a pair of surrogates. */
function shorten(name: string, room: number): string {
  if (name.length <= room) return name.trim();
  const lastSpace = name.lastIndexOf(' ', room);
  const cut = name.slice(0, lastSpace > room / 2 ? lastSpace : room);
  return cut.replace(/[\ud800-\udbff]$/, '').replace(/[\s\p{Pd},;:&/(]+$/u, '');
}

/** `host`: that of the portal if it has TLS. Its line lets the browser fill in the code by itself (WebOTP, domain-bound codes). */
export const codeText = (
  language: ShippedLanguage,
  { place, code, host }: { readonly place: string; readonly code: string; readonly host: string | null },
): string => oneSms(texts[language], { place, code, last: host ? `\n@${host} #${code}` : '' });
