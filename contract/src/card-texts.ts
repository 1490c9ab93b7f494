import { type ShippedLanguage, shippedOf } from './portal-languages.ts';
import type { VoucherBatch } from './vouchers.ts';

/** The texts of printed vouchers, in the language of the guest. The panel has two languages, guests have more. */
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

const texts: Readonly<Record<ShippedLanguage, CardTexts>> = {
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
  fr: {
    title: 'Coupon Wi-Fi',
    network: 'Wi-Fi',
    password: 'Mot de passe',
    code: 'Code',
    join: '1. Rejoignez le Wi-Fi',
    signIn: '2. Connectez-vous',
    from: '{time} dès la première utilisation',
    until: 'Valable jusqu’au {day}',
  },
  es: {
    title: 'Cupón Wi-Fi',
    network: 'Wi-Fi',
    password: 'Contraseña',
    code: 'Código',
    join: '1. Conéctese al Wi-Fi',
    signIn: '2. Entre con el código',
    from: '{time} desde el primer uso',
    until: 'Válido hasta el {day}',
  },
  it: {
    title: 'Voucher Wi-Fi',
    network: 'Wi-Fi',
    password: 'Password',
    code: 'Codice',
    join: '1. Connettiti al Wi-Fi',
    signIn: '2. Accedi',
    from: '{time} dal primo utilizzo',
    until: 'Valido fino al {day}',
  },
  fa: {
    title: 'کوپن وای‌فای',
    network: 'وای‌فای',
    password: 'گذرواژه',
    code: 'کد',
    join: '۱. به وای‌فای وصل شوید',
    signIn: '۲. وارد شوید',
    from: '{time} از نخستین استفاده',
    until: 'معتبر تا {day}',
  },
  uk: {
    title: 'Ваучер Wi-Fi',
    network: 'Wi-Fi',
    password: 'Пароль',
    code: 'Код',
    join: '1. Підключіться до Wi-Fi',
    signIn: '2. Увійдіть',
    from: '{time} від першого використання',
    until: 'Дійсний до {day}',
  },
  zh: {
    title: 'Wi-Fi 上网券',
    network: 'Wi-Fi',
    password: '密码',
    code: '券码',
    join: '1. 连接 Wi-Fi',
    signIn: '2. 登录',
    from: '首次使用起 {time}',
    until: '有效期至 {day}',
  },
  ja: {
    title: 'Wi-Fiクーポン',
    network: 'Wi-Fi',
    password: 'パスワード',
    code: 'コード',
    join: '1. Wi-Fiに接続',
    signIn: '2. ログイン',
    from: '初回利用から{time}',
    until: '{day}まで有効',
  },
};

export const cardTexts = (language: string): CardTexts => texts[shippedOf(language)];

/** The text beside the code that signs in. Without a code for the Wi-Fi before it there is nothing to count. */
export function signInText(language: string, { isSecond }: { isSecond: boolean }): string {
  const { signIn } = cardTexts(language);
  return isSecond ? signIn : signIn.replace(/^\p{Nd}+\.\s/u, '');
}

/** How long a voucher is valid, in a language. */
export function validityIn(
  language: string,
  { valid_for, valid_until }: Pick<VoucherBatch, 'valid_for' | 'valid_until'>,
): string[] {
  const { from, until } = cardTexts(language);
  // The words around them are in this language.
  const shown = shippedOf(language);
  const unit = new Intl.NumberFormat(shown, { style: 'unit', unit: valid_for.option, unitDisplay: 'long' });
  const day = new Intl.DateTimeFormat(shown, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return [
    ...(valid_for.is_active ? [from.replace('{time}', unit.format(valid_for.value))] : []),
    ...(valid_until ? [until.replace('{day}', day.format(new Date(`${valid_until}T00:00Z`)))] : []),
  ];
}
