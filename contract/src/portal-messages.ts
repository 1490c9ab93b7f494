import { z } from 'zod';
import { type PortalLanguage, portalLanguages } from './errors.ts';

/** The texts of a portal that its operator may change, and their defaults. */

export type PerLanguage = Partial<Record<PortalLanguage, string>>;
type Everywhere = Record<PortalLanguage, string>;

/** A text in some of the portal's languages, each at most `max` characters. */
export const perLanguage = (max: number) => {
  const words = z.string().trim().max(max);
  const sent = z.preprocess<unknown, typeof words, string>(value => value ?? '', words);
  return z.partialRecord(z.enum(portalLanguages), sent);
};

export const messageKeys = [
  'welcome_message_title',
  'subtitle',
  'header_text',
  'footer_text',
  'opening_hours',
  'login_with_citizen_id',
  'citizen_id_info',
  'login_with_room_number',
  'room_number_info',
  'login_with_sms',
  'sms_info',
  'login_with_username',
  'username_id_info',
  'login_temp',
  'temp_info',
  'login_with_email',
  'email_info',
  'login_with_voucher',
  'voucher_info',
  'paid_information',
  'select_paid',
  'daily',
  'selected_paid_day',
  'total_paid_amount',
  'buy',
  'change_paid',
] as const;
export type PortalMessageKey = (typeof messageKeys)[number];

/** Messages in rich text; the others are plain. */
export const richMessages = ['paid_information'] as const satisfies readonly PortalMessageKey[];

/** The body of a change. Omitted messages keep their text. */
export const portalMessages = z.partialRecord(z.enum(messageKeys), perLanguage(20_000));
export type PortalMessages = Record<PortalMessageKey, PerLanguage>;

const words = (tr: string, en: string, de: string, ru: string, ar: string): Everywhere => ({ tr, en, de, ru, ar });

export const defaultMessages: Record<PortalMessageKey, Everywhere> = {
  welcome_message_title: words('Hoş geldiniz', 'Welcome', 'Willkommen', 'Добро пожаловать', 'أهلاً وسهلاً'),
  // Empty until the operator writes a text.
  subtitle: words('', '', '', '', ''),
  header_text: words('', '', '', '', ''),
  footer_text: words('', '', '', '', ''),
  opening_hours: words('', '', '', '', ''),
  login_with_citizen_id: words(
    'T.C. kimlik numarasıyla giriş',
    'Sign in with citizen ID',
    'Mit Ausweisnummer anmelden',
    'Войти по номеру удостоверения',
    'تسجيل الدخول برقم الهوية',
  ),
  citizen_id_info: words(
    'Kimlik bilgileriniz yalnızca yasal yükümlülük gereği doğrulanır.',
    'Your identity is checked only because the law requires it.',
    'Ihre Identität wird nur geprüft, weil das Gesetz es verlangt.',
    'Ваши данные проверяются только по требованию закона.',
    'يتم التحقق من هويتك فقط لأن القانون يتطلب ذلك.',
  ),
  login_with_room_number: words(
    'Oda numarasıyla giriş',
    'Sign in with room number',
    'Mit Zimmernummer anmelden',
    'Войти по номеру комнаты',
    'تسجيل الدخول برقم الغرفة',
  ),
  room_number_info: words(
    'Konakladığınız odanın numarasını ve rezervasyondaki bilginizi girin.',
    'Enter your room number and the details given at check-in.',
    'Geben Sie Ihre Zimmernummer und die Angaben vom Check-in ein.',
    'Введите номер комнаты и данные, указанные при заселении.',
    'أدخل رقم غرفتك والبيانات المسجلة عند الوصول.',
  ),
  login_with_sms: words(
    'SMS ile giriş',
    'Sign in by SMS',
    'Per SMS anmelden',
    'Войти по СМС',
    'تسجيل الدخول برسالة نصية',
  ),
  sms_info: words(
    'Telefonunuza tek kullanımlık bir kod göndereceğiz.',
    'We will send a one-time code to your phone.',
    'Wir senden einen Einmalcode an Ihr Telefon.',
    'Мы отправим одноразовый код на ваш телефон.',
    'سنرسل رمزًا لمرة واحدة إلى هاتفك.',
  ),
  login_with_username: words(
    'Kullanıcı adıyla giriş',
    'Sign in with username',
    'Mit Benutzernamen anmelden',
    'Войти по имени пользователя',
    'تسجيل الدخول باسم المستخدم',
  ),
  username_id_info: words(
    'Size verilen kullanıcı adını ve parolayı girin.',
    'Enter the username and password you were given.',
    'Geben Sie den Benutzernamen und das Passwort ein, die Sie erhalten haben.',
    'Введите выданные вам имя пользователя и пароль.',
    'أدخل اسم المستخدم وكلمة المرور اللذين حصلت عليهما.',
  ),
  login_temp: words('Ücretsiz kullanım', 'Free access', 'Freier Zugang', 'Бесплатный доступ', 'دخول مجاني'),
  temp_info: words(
    'Sınırlı süreyle ücretsiz bağlanın.',
    'Connect free of charge for a limited time.',
    'Verbinden Sie sich für begrenzte Zeit kostenlos.',
    'Подключитесь бесплатно на ограниченное время.',
    'اتصل مجانًا لفترة محدودة.',
  ),
  login_with_email: words(
    'E-posta ile giriş',
    'Sign in by e-mail',
    'Per E-Mail anmelden',
    'Войти по эл. почте',
    'تسجيل الدخول بالبريد الإلكتروني',
  ),
  email_info: words(
    'E-posta adresinizi girerek bağlanın.',
    'Connect with your e-mail address.',
    'Verbinden Sie sich mit Ihrer E-Mail-Adresse.',
    'Подключитесь, указав адрес эл. почты.',
    'اتصل باستخدام بريدك الإلكتروني.',
  ),
  login_with_voucher: words(
    'Kuponla giriş',
    'Sign in with a voucher',
    'Mit Gutschein anmelden',
    'Войти по ваучеру',
    'تسجيل الدخول بقسيمة',
  ),
  voucher_info: words(
    'Kuponunuzdaki kodu girin.',
    'Enter the code on your voucher.',
    'Geben Sie den Code auf Ihrem Gutschein ein.',
    'Введите код с вашего ваучера.',
    'أدخل الرمز المكتوب على قسيمتك.',
  ),
  paid_information: words(
    'Daha uzun süreli kullanım için bir paket seçebilirsiniz.',
    'You can choose a package for longer use.',
    'Für längere Nutzung können Sie ein Paket wählen.',
    'Для более долгого доступа можно выбрать пакет.',
    'يمكنك اختيار باقة لاستخدام أطول.',
  ),
  select_paid: words('Paket seçin', 'Choose a package', 'Paket wählen', 'Выберите пакет', 'اختر باقة'),
  daily: words('Günlük', 'Daily', 'Täglich', 'В день', 'يوميًا'),
  selected_paid_day: words('Seçilen gün', 'Days chosen', 'Gewählte Tage', 'Выбрано дней', 'عدد الأيام'),
  total_paid_amount: words('Toplam tutar', 'Total', 'Gesamtbetrag', 'Итого', 'الإجمالي'),
  buy: words('Satın al', 'Buy', 'Kaufen', 'Купить', 'شراء'),
  change_paid: words('Paketi değiştir', 'Change package', 'Paket ändern', 'Изменить пакет', 'تغيير الباقة'),
};

/** A text in a language: the operator's, else the default, else the operator's text in any other language. */
export function wording(messages: Partial<PortalMessages>, key: PortalMessageKey, language: PortalLanguage): string {
  return messages[key]?.[language] || defaultMessages[key][language];
}
