import type { GuestMails } from '../guest-mail-data.ts';

export const tr: GuestMails = {
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
};
