import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import type { Words } from './words.ts';

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

/** The form of a word for a number, by the plural rules of the language. */
const plural = (language: ShippedLanguage, count: number, words: Plural): string =>
  words[new Intl.PluralRules(language).select(count)] ?? words.other;
type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

type Write<T extends keyof GuestMailData> = (data: GuestMailData[T]) => Words;

export const guestMails: Readonly<Record<ShippedLanguage, { readonly [T in keyof GuestMailData]: Write<T> }>> = {
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
        `${it.package}: ${it.days} ${plural('en', it.days, { one: 'day', other: 'days' })}, ${it.amount}.`,
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
        `${it.package}: ${it.days} ${plural('de', it.days, { one: 'Tag', other: 'Tage' })}, ${it.amount}.`,
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
        `${it.package}: ${it.days} ${plural('ru', it.days, { one: 'день', few: 'дня', other: 'дней' })}, ${it.amount}.`,
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
  fr: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `Confirmez votre adresse e-mail pour le Wi-Fi de ${location}`,
      heading: 'Confirmez votre adresse e-mail',
      paragraphs: [
        `Vous avez saisi cette adresse pour le Wi-Fi invité de ${location}. Confirmez qu’elle est à vous pour continuer à utiliser le Wi-Fi. Le lien est valable ${hours} heures.`,
      ],
      button: { label: 'Confirmer mon adresse', link },
      note: 'Si ce n’était pas vous, ignorez cet e-mail : rien ne se passe sans le lien.',
    }),
    purchase_receipt: it => ({
      subject: `Reçu pour le Wi-Fi de ${it.location}`,
      heading: 'Merci pour votre achat',
      paragraphs: [
        `${it.package} : ${it.days} ${plural('fr', it.days, { one: 'jour', other: 'jours' })}, ${it.amount}.`,
        ...(it.tax ? [`Ce montant comprend ${it.tax} de TVA (${it.rate}).`] : []),
        'Avec ce code, connectez un autre appareil, ou le même plus tard : sur la page de connexion du Wi-Fi, choisissez « Restaurer mon achat ».',
      ],
      ...(it.code && { code: it.code }),
      note: `Achat ${it.order}. Gardez le code pour vous : il donne accès à votre connexion.`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `Vos données chez ${location}`,
      heading: 'Ce qui est conservé sur vous',
      paragraphs: [
        `Vous pouvez voir ici ce que le Wi-Fi invité de ${location} conserve sur vous, et le faire supprimer. Le lien est valable ${days} jours ; gardez-le pour vous.`,
      ],
      button: { label: 'Voir mes données', link },
      note: 'Vous recevez cet e-mail car il a été demandé depuis votre session Wi-Fi.',
    }),
  },
  es: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `Confirme su correo para el Wi-Fi de ${location}`,
      heading: 'Confirme su correo electrónico',
      paragraphs: [
        `Ha introducido esta dirección para el Wi-Fi de invitados de ${location}. Confirme que es suya para seguir usando el Wi-Fi. El enlace es válido durante ${hours} horas.`,
      ],
      button: { label: 'Confirmar mi dirección', link },
      note: 'Si no fue usted, ignore este correo: sin el enlace no ocurre nada.',
    }),
    purchase_receipt: it => ({
      subject: `Recibo del Wi-Fi de ${it.location}`,
      heading: 'Gracias por su compra',
      paragraphs: [
        `${it.package}: ${it.days} ${plural('es', it.days, { one: 'día', other: 'días' })}, ${it.amount}.`,
        ...(it.tax ? [`El importe incluye ${it.tax} de impuestos (${it.rate}).`] : []),
        'Con este código puede conectar otro dispositivo, o el mismo más tarde: en la página de acceso del Wi-Fi, elija «Recuperar mi compra».',
      ],
      ...(it.code && { code: it.code }),
      note: `Compra ${it.order}. No comparta el código: quien lo tenga puede usar su acceso.`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `Sus datos en ${location}`,
      heading: 'Lo que se guarda sobre usted',
      paragraphs: [
        `Aquí puede ver lo que el Wi-Fi de invitados de ${location} guarda sobre usted, y hacer que se borre. El enlace es válido durante ${days} días; no lo comparta.`,
      ],
      button: { label: 'Ver mis datos', link },
      note: 'Recibe este correo porque se pidió desde su sesión Wi-Fi.',
    }),
  },
  it: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `Conferma il tuo indirizzo e-mail per il Wi-Fi di ${location}`,
      heading: 'Conferma il tuo indirizzo e-mail',
      paragraphs: [
        `Hai inserito questo indirizzo per il Wi-Fi degli ospiti di ${location}. Conferma che è tuo per continuare a usare il Wi-Fi. Il link è valido ${hours} ore.`,
      ],
      button: { label: 'Conferma il mio indirizzo', link },
      note: 'Se non sei stato tu, ignora questa e-mail: senza il link non succede nulla.',
    }),
    purchase_receipt: it => ({
      subject: `Ricevuta per il Wi-Fi di ${it.location}`,
      heading: 'Grazie per l’acquisto',
      paragraphs: [
        `${it.package}: ${it.days} ${plural('it', it.days, { one: 'giorno', other: 'giorni' })}, ${it.amount}.`,
        ...(it.tax ? [`L’importo comprende ${it.tax} di IVA (${it.rate}).`] : []),
        'Con questo codice puoi connettere un altro dispositivo, o lo stesso più tardi: nella pagina di accesso del Wi-Fi scegli «Ripristina il mio acquisto».',
      ],
      ...(it.code && { code: it.code }),
      note: `Acquisto ${it.order}. Non condividere il codice: chi lo possiede può usare il tuo accesso.`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `I tuoi dati presso ${location}`,
      heading: 'Che cosa è conservato su di te',
      paragraphs: [
        `Qui puoi vedere che cosa il Wi-Fi degli ospiti di ${location} conserva su di te e farlo eliminare. Il link è valido ${days} giorni; non condividerlo.`,
      ],
      button: { label: 'Vedi i miei dati', link },
      note: 'Ricevi questa e-mail perché è stata richiesta dalla tua sessione Wi-Fi.',
    }),
  },
  fa: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `ایمیل خود را برای وای‌فای ${location} تأیید کنید`,
      heading: 'ایمیل خود را تأیید کنید',
      paragraphs: [
        `این نشانی را برای وای‌فای مهمان ${location} وارد کرده‌اید. تأیید کنید که از آن شماست تا بتوانید به استفاده از وای‌فای ادامه دهید. این پیوند ${hours} ساعت اعتبار دارد.`,
      ],
      button: { label: 'تأیید نشانی من', link },
      note: 'اگر شما نبوده‌اید، این ایمیل را نادیده بگیرید: بدون باز کردن پیوند هیچ اتفاقی نمی‌افتد.',
    }),
    purchase_receipt: it => ({
      subject: `رسید وای‌فای ${it.location}`,
      heading: 'از خرید شما سپاسگزاریم',
      paragraphs: [
        `${it.package}: ${it.days} روز، ${it.amount}.`,
        ...(it.tax ? [`این مبلغ شامل ${it.tax} مالیات (${it.rate}) است.`] : []),
        'با این کد می‌توانید دستگاه دیگری را، یا همین دستگاه را بعداً، وصل کنید: در صفحهٔ ورود وای‌فای «بازیابی خرید» را انتخاب کنید.',
      ],
      ...(it.code && { code: it.code }),
      note: `خرید ${it.order}. کد را به کسی ندهید: هر کس آن را داشته باشد می‌تواند از دسترسی شما استفاده کند.`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `داده‌های شما نزد ${location}`,
      heading: 'آنچه از شما نگه داشته می‌شود',
      paragraphs: [
        `اینجا می‌توانید ببینید وای‌فای مهمان ${location} چه چیزی از شما نگه می‌دارد و بخواهید پاک شود. این پیوند ${days} روز اعتبار دارد؛ آن را به کسی ندهید.`,
      ],
      button: { label: 'دیدن داده‌های من', link },
      note: 'این ایمیل را گرفته‌اید چون از نشست وای‌فای شما درخواست شده است.',
    }),
  },
  uk: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `Підтвердьте адресу ел. пошти для Wi-Fi: ${location}`,
      heading: 'Підтвердьте адресу ел. пошти',
      paragraphs: [
        `Ви вказали цю адресу для гостьового Wi-Fi (${location}). Підтвердьте, що вона ваша, щоб і далі користуватися Wi-Fi. Посилання діє ${hours} ${plural('uk', hours, { one: 'годину', few: 'години', other: 'годин' })}.`,
      ],
      button: { label: 'Підтвердити адресу', link },
      note: 'Якщо це були не ви, не зважайте на цей лист: без переходу за посиланням нічого не станеться.',
    }),
    purchase_receipt: it => ({
      subject: `Чек за Wi-Fi: ${it.location}`,
      heading: 'Дякуємо за покупку',
      paragraphs: [
        `${it.package}: ${it.days} ${plural('uk', it.days, { one: 'день', few: 'дні', other: 'днів' })}, ${it.amount}.`,
        ...(it.tax ? [`Сума містить податок ${it.tax} (${it.rate}).`] : []),
        'З цим кодом можна підключити інший пристрій або цей самий пізніше: на сторінці входу до Wi-Fi виберіть «Відновити покупку».',
      ],
      ...(it.code && { code: it.code }),
      note: `Покупка ${it.order}. Нікому не повідомляйте код: з ним будь-хто може користуватися вашим доступом.`,
    }),
    own_data: it => ({
      subject: `Ваші дані: ${it.location}`,
      heading: 'Що про вас зберігається',
      paragraphs: [
        `Тут можна переглянути, що про вас зберігає гостьовий Wi-Fi (${it.location}), і видалити ці дані. Посилання діє ${it.days} ${plural('uk', it.days, { one: 'день', few: 'дні', other: 'днів' })}; нікому його не передавайте.`,
      ],
      button: { label: 'Переглянути мої дані', link: it.link },
      note: 'Ви отримали цей лист, бо його замовили з вашого сеансу Wi-Fi.',
    }),
  },
  zh: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `请确认您用于 ${location} Wi-Fi 的邮箱`,
      heading: '确认您的邮箱',
      paragraphs: [
        `您在 ${location} 的访客 Wi-Fi 中填写了此邮箱。请确认它属于您，以便继续使用 Wi-Fi。链接在 ${hours} 小时内有效。`,
      ],
      button: { label: '确认我的邮箱', link },
      note: '如果不是您本人操作，请忽略此邮件：不打开链接就不会发生任何事情。',
    }),
    purchase_receipt: it => ({
      subject: `${it.location} Wi-Fi 收据`,
      heading: '感谢您的购买',
      paragraphs: [
        `${it.package}：${it.days} 天，${it.amount}。`,
        ...(it.tax ? [`金额含税 ${it.tax}（${it.rate}）。`] : []),
        '使用此代码可连接其他设备，或稍后再次连接同一设备：请在 Wi-Fi 登录页面选择“恢复我的购买”。',
      ],
      ...(it.code && { code: it.code }),
      note: `订单 ${it.order}。请勿透露代码：任何人凭此代码都能使用您的上网权限。`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `您在 ${location} 的数据`,
      heading: '保存的关于您的数据',
      paragraphs: [
        `您可以在此查看 ${location} 的访客 Wi-Fi 保存了您的哪些数据，并要求删除。链接在 ${days} 天内有效，请勿转发。`,
      ],
      button: { label: '查看我的数据', link },
      note: '您收到此邮件，是因为有人在您的 Wi-Fi 会话中提出了请求。',
    }),
  },
  ja: {
    confirm_guest_email: ({ location, link, hours }) => ({
      subject: `${location}のWi-Fi：メールアドレスの確認`,
      heading: 'メールアドレスの確認',
      paragraphs: [
        `このアドレスは${location}のゲストWi-Fiで入力されました。引き続きWi-Fiをご利用いただくため、ご本人のアドレスであることを確認してください。リンクの有効時間は${hours}時間です。`,
      ],
      button: { label: 'アドレスを確認する', link },
      note: 'お心当たりがない場合は、このメールを無視してください。リンクを開かない限り、何も起こりません。',
    }),
    purchase_receipt: it => ({
      subject: `${it.location} Wi-Fiの領収書`,
      heading: 'ご購入ありがとうございます',
      paragraphs: [
        `${it.package}：${it.days}日間、${it.amount}`,
        ...(it.tax ? [`金額には税${it.tax}（${it.rate}）が含まれます。`] : []),
        'このコードで、別の端末や、後日同じ端末を接続できます。Wi-Fiのログインページで「購入を復元」を選んでください。',
      ],
      ...(it.code && { code: it.code }),
      note: `購入番号 ${it.order}。コードは他人に教えないでください。コードがあれば、だれでもあなたの接続を利用できます。`,
    }),
    own_data: ({ location, link, days }) => ({
      subject: `${location}に保存されているデータ`,
      heading: '保存されているあなたのデータ',
      paragraphs: [
        `${location}のゲストWi-Fiが保存しているあなたのデータを確認し、削除できます。リンクの有効期間は${days}日間です。他人に教えないでください。`,
      ],
      button: { label: '自分のデータを見る', link },
      note: 'このメールは、あなたのWi-Fi接続から請求されたため送信されました。',
    }),
  },
};
