import type { PortalLanguage } from './errors.ts';
import type { VoucherBatch } from './vouchers.ts';

/** What printed vouchers say, in the language of the guest. The panel has two languages, guests have five. */
interface CardTexts {
  readonly title: string;
  readonly network: string;
  readonly password: string;
  readonly code: string;
  readonly join: string;
  readonly signIn: string;
  /** `{time}` from the first use. */
  readonly from: string;
  readonly until: string;
}

const texts: Readonly<Record<PortalLanguage, CardTexts>> = {
  en: {
    title: 'Wi-Fi voucher',
    network: 'Wi-Fi',
    password: 'Password',
    code: 'Code',
    join: '1. Join the Wi-Fi',
    signIn: '2. Sign in',
    from: '{time} from the first use',
    until: 'Valid until {day}',
  },
  tr: {
    title: 'Wi-Fi kuponu',
    network: 'Wi-Fi',
    password: 'Parola',
    code: 'Kod',
    join: '1. Wi-Fi’a bağlanın',
    signIn: '2. Giriş yapın',
    from: 'İlk kullanımdan itibaren {time}',
    until: 'Son gün: {day}',
  },
  de: {
    title: 'WLAN-Gutschein',
    network: 'WLAN',
    password: 'Passwort',
    code: 'Code',
    join: '1. Mit dem WLAN verbinden',
    signIn: '2. Anmelden',
    from: '{time} ab der ersten Nutzung',
    until: 'Gültig bis {day}',
  },
  ru: {
    title: 'Ваучер Wi-Fi',
    network: 'Wi-Fi',
    password: 'Пароль',
    code: 'Код',
    join: '1. Подключитесь к Wi-Fi',
    signIn: '2. Войдите',
    from: '{time} с первого использования',
    until: 'Действует до {day}',
  },
  ar: {
    title: 'قسيمة Wi-Fi',
    network: 'Wi-Fi',
    password: 'كلمة المرور',
    code: 'الرمز',
    join: '١. اتصل بشبكة Wi-Fi',
    signIn: '٢. سجّل الدخول',
    from: '{time} من أول استخدام',
    until: 'صالحة حتى {day}',
  },
};

export const cardTexts = (language: PortalLanguage): CardTexts => texts[language];

/** How long a voucher is valid, in a language. */
export function validityIn(
  language: PortalLanguage,
  { valid_for, valid_until }: Pick<VoucherBatch, 'valid_for' | 'valid_until'>,
): string[] {
  const { from, until } = texts[language];
  const unit = new Intl.NumberFormat(language, { style: 'unit', unit: valid_for.option, unitDisplay: 'long' });
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return [
    ...(valid_for.is_active ? [from.replace('{time}', unit.format(valid_for.value))] : []),
    ...(valid_until ? [until.replace('{day}', day.format(new Date(`${valid_until}T00:00Z`)))] : []),
  ];
}
