import type { PortalLanguage } from '@portico/contract/errors.ts';
import type { Words } from './mails.ts';

/** The look of a venue's mails. */
export interface VenueLook {
  /** `#rrggbb`. */
  readonly color: string;
  /** A path of the guest origin, or null. */
  readonly logo: string | null;
}

/** Mails to guests come from the venue and speak of it: the product's name means nothing to a guest. */
export interface GuestMailData {
  /** `venue` is missing in mails that an earlier version queued. */
  confirm_guest_email: { location: string; link: string; hours: number; venue?: VenueLook };
  own_data: { location: string; link: string; days: number; venue?: VenueLook };
  /** Amounts are in the words of the language. `tax` is empty if there is none. */
  purchase_receipt: {
    location: string;
    package: string;
    days: number;
    amount: string;
    tax: string;
    rate: string;
    order: string;
    code: string;
    venue?: VenueLook;
  };
}

type Write<T extends keyof GuestMailData> = (data: GuestMailData[T]) => Words;

export const guestMails: Readonly<Record<PortalLanguage, { readonly [T in keyof GuestMailData]: Write<T> }>> = {
  en: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `Confirm your e-mail address for the Wi-Fi of ${location}`,
      heading: 'Confirm your e-mail address',
      paragraphs: [
        `You entered this address for the guest Wi-Fi of ${location}. Confirm that it is yours, so that you can go on using the Wi-Fi. The link works for ${hours} hours.`,
      ],
      button: { label: 'Confirm my address', link },
      note: 'If it was not you, ignore this mail: nothing happens without the link.',
    }),
    purchase_receipt: it => ({
      subject: `Receipt for the Wi-Fi of ${it.location}`,
      heading: 'Thank you for your purchase',
      paragraphs: [
        `${it.package}: ${it.days} ${it.days === 1 ? 'day' : 'days'}, ${it.amount}.`,
        ...(it.tax ? [`The amount includes ${it.tax} of tax (${it.rate}).`] : []),
        'Use this code to connect another device, or the same one later: on the sign-in page of the Wi-Fi, choose “Restore my purchase”.',
      ],
      ...(it.code && { code: it.code }),
      note: `Purchase ${it.order}. Keep the code to yourself: with it anybody can use your access.`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `Your data at ${location}`,
      heading: 'What is kept of you',
      paragraphs: [
        `Here you can see what the guest Wi-Fi of ${location} keeps of you, and have it deleted. The link works for ${days} days; keep it to yourself.`,
      ],
      button: { label: 'See my data', link },
      note: 'You get this mail because it was asked for from your Wi-Fi session.',
    }),
  },
  tr: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `${location} Wi-Fi ağı için e-posta adresinizi doğrulayın`,
      heading: 'E-posta adresinizi doğrulayın',
      paragraphs: [
        `Bu adresi ${location} misafir Wi-Fi ağı için yazdınız. Wi-Fi kullanmaya devam edebilmek için adresin size ait olduğunu doğrulayın. Bağlantı ${hours} saat geçerlidir.`,
      ],
      button: { label: 'Adresimi doğrula', link },
      note: 'Bu isteği siz yapmadıysanız e-postayı dikkate almayın: bağlantı açılmadan hiçbir şey olmaz.',
    }),
    purchase_receipt: it => ({
      subject: `${it.location} Wi-Fi makbuzu`,
      heading: 'Satın aldığınız için teşekkürler',
      paragraphs: [
        `${it.package}: ${it.days} gün, ${it.amount}.`,
        ...(it.tax ? [`Tutara ${it.tax} vergi dahildir (${it.rate}).`] : []),
        'Başka bir cihazı ya da aynı cihazı daha sonra bağlamak için bu kodu kullanın: Wi-Fi giriş sayfasında “Satın aldığımı geri yükle” seçeneğine dokunun.',
      ],
      ...(it.code && { code: it.code }),
      note: `Satın alma ${it.order}. Kodu kimseyle paylaşmayın: kodu bilen herkes erişiminizi kullanabilir.`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `${location} misafir ağındaki verileriniz`,
      heading: 'Hakkınızda saklananlar',
      paragraphs: [
        `${location} misafir Wi-Fi ağının hakkınızda sakladıklarını burada görebilir ve sildirebilirsiniz. Bağlantı ${days} gün geçerlidir; kimseyle paylaşmayın.`,
      ],
      button: { label: 'Verilerimi gör', link },
      note: 'Bu e-postayı, Wi-Fi oturumunuzdan istendiği için alıyorsunuz.',
    }),
  },
  de: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `Bestätigen Sie Ihre E-Mail-Adresse für das WLAN von ${location}`,
      heading: 'Bestätigen Sie Ihre E-Mail-Adresse',
      paragraphs: [
        `Sie haben diese Adresse für das Gäste-WLAN von ${location} angegeben. Bestätigen Sie, dass sie Ihnen gehört, damit Sie das WLAN weiter nutzen können. Der Link gilt ${hours} Stunden.`,
      ],
      button: { label: 'Adresse bestätigen', link },
      note: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ohne den Link geschieht nichts.',
    }),
    purchase_receipt: it => ({
      subject: `Beleg für das WLAN von ${it.location}`,
      heading: 'Danke für Ihren Kauf',
      paragraphs: [
        `${it.package}: ${it.days} ${it.days === 1 ? 'Tag' : 'Tage'}, ${it.amount}.`,
        ...(it.tax ? [`Darin sind ${it.tax} Steuer enthalten (${it.rate}).`] : []),
        'Mit diesem Code verbinden Sie ein weiteres Gerät oder dasselbe Gerät später: Wählen Sie auf der Anmeldeseite des WLANs „Kauf wiederherstellen“.',
      ],
      ...(it.code && { code: it.code }),
      note: `Kauf ${it.order}. Geben Sie den Code nicht weiter: Wer ihn hat, kann Ihren Zugang nutzen.`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `Ihre Daten bei ${location}`,
      heading: 'Was über Sie gespeichert ist',
      paragraphs: [
        `Hier sehen Sie, was das Gäste-WLAN von ${location} über Sie speichert, und können es löschen lassen. Der Link gilt ${days} Tage; geben Sie ihn nicht weiter.`,
      ],
      button: { label: 'Meine Daten ansehen', link },
      note: 'Sie erhalten diese E-Mail, weil sie in Ihrer WLAN-Sitzung angefordert wurde.',
    }),
  },
  ru: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `Подтвердите адрес электронной почты для Wi-Fi: ${location}`,
      heading: 'Подтвердите адрес электронной почты',
      paragraphs: [
        `Вы указали этот адрес для гостевого Wi-Fi (${location}). Подтвердите, что он ваш, чтобы и дальше пользоваться Wi-Fi. Срок действия ссылки в часах: ${hours}.`,
      ],
      button: { label: 'Подтвердить адрес', link },
      note: 'Если это были не вы, не обращайте внимания на письмо: без перехода по ссылке ничего не произойдёт.',
    }),
    purchase_receipt: it => ({
      subject: `Чек за Wi-Fi: ${it.location}`,
      heading: 'Спасибо за покупку',
      paragraphs: [
        `${it.package}. Дней: ${it.days}. Сумма: ${it.amount}.`,
        ...(it.tax ? [`В сумму входит налог ${it.tax} (${it.rate}).`] : []),
        'С этим кодом можно подключить другое устройство или то же устройство позже: на странице входа в Wi-Fi выберите «Восстановить покупку».',
      ],
      ...(it.code && { code: it.code }),
      note: `Покупка ${it.order}. Никому не сообщайте код: с ним любой может пользоваться вашим доступом.`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `Ваши данные: ${location}`,
      heading: 'Что о вас хранится',
      paragraphs: [
        `Здесь можно посмотреть, что о вас хранит гостевой Wi-Fi (${location}), и удалить эти данные. Срок действия ссылки в днях: ${days}. Никому её не передавайте.`,
      ],
      button: { label: 'Посмотреть мои данные', link },
      note: 'Вы получили это письмо, потому что его запросили из вашего сеанса Wi-Fi.',
    }),
  },
  ar: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `أكّد بريدك الإلكتروني لشبكة Wi-Fi في ${location}`,
      heading: 'أكّد بريدك الإلكتروني',
      paragraphs: [
        `لقد أدخلت هذا العنوان لشبكة Wi-Fi للضيوف في ${location}. أكّد أنه عنوانك لتتمكن من مواصلة استخدام الشبكة. مدة صلاحية الرابط بالساعات: ${hours}.`,
      ],
      button: { label: 'تأكيد عنواني', link },
      note: 'إذا لم تطلب ذلك فتجاهل هذه الرسالة: لن يحدث شيء دون فتح الرابط.',
    }),
    purchase_receipt: it => ({
      subject: `إيصال شبكة Wi-Fi في ${it.location}`,
      heading: 'شكرًا لشرائك',
      paragraphs: [
        `${it.package}. عدد الأيام: ${it.days}. المبلغ: ${it.amount}.`,
        ...(it.tax ? [`يشمل المبلغ ضريبة قدرها ${it.tax} (${it.rate}).`] : []),
        'استخدم هذا الرمز لتوصيل جهاز آخر أو الجهاز نفسه لاحقًا: في صفحة تسجيل الدخول إلى الشبكة اختر «استعادة عملية الشراء».',
      ],
      ...(it.code && { code: it.code }),
      note: `عملية الشراء ${it.order}. لا تشارك الرمز مع أحد: من يملكه يمكنه استخدام اتصالك.`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `بياناتك لدى ${location}`,
      heading: 'ما نحتفظ به عنك',
      paragraphs: [
        `يمكنك هنا الاطلاع على ما تحتفظ به شبكة Wi-Fi للضيوف في ${location} عنك، وطلب حذفه. مدة صلاحية الرابط بالأيام: ${days}. لا تشارك الرابط مع أحد.`,
      ],
      button: { label: 'عرض بياناتي', link },
      note: 'وصلتك هذه الرسالة لأنها طُلبت من جلسة Wi-Fi الخاصة بك.',
    }),
  },
};
