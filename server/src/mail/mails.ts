import type { Language } from '@portico/contract/errors.ts';
import type { ShippedLanguage } from '@portico/contract/portal-languages.ts';
import type { GuestMailData } from './guest-mail-data.ts';
import { guestMails } from './guest-mails.ts';
import { type SecurityChange, securityWords } from './security-words.ts';
import type { Words } from './words.ts';

/** An attachment. */
export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** The values of each mail. All are plain text; links are complete addresses. */
export interface MailData extends GuestMailData {
  welcome: { name: string; location: string; link: string; confirm: boolean };
  reset_code: { name: string; code: string; minutes: number };
  password_changed: { name: string; link: string };
  account_exists: { link: string };
  security_change: { name: string; change: SecurityChange; detail: string; link: string };
  invitation: { location: string; inviter: string; link: string; days: number };
  invitation_accepted: { name: string; email: string; location: string; link: string };
  license_request: { location: string; name: string; email: string; years: number; link: string };
  license_ending: { location: string; days: number; link: string };
  /** Amounts are in the words of the language. `tax` is empty if there is none. `until`: a day as YYYY-MM-DD. */
  licence_receipt: {
    location: string;
    years: number;
    amount: string;
    tax: string;
    rate: string;
    until: string;
    order: string;
    link: string;
  };
  notices: {
    /** The daily mail, with the time of each notice. */
    digest: boolean;
    /** The time zone of these times, as `Europe/Istanbul`. */
    zone?: string | null;
    notices: readonly { readonly title: string; readonly body: string; readonly at: string | null }[];
    /** How many more there are. */
    more: number;
    /** How many more devices the lines count without naming them. */
    counted?: number;
    link: string;
  };
  confirm_email: { name: string; link: string; hours: number };
  email_changing: { name: string; email: string };
  report: {
    name: string;
    location: string;
    frequency: 'weekly' | 'monthly';
    /** Days as YYYY-MM-DD. */
    from: string;
    to: string;
    /** The number of rows after which a file was cut; 0 if no file was cut. */
    most: number;
    link: string;
    attachments: readonly Attachment[];
  };
}
export type MailTemplate = keyof MailData;
type PanelTemplate = Exclude<MailTemplate, keyof GuestMailData>;

/** The languages of a mail: guests have more of them than the panel. */
export type MailLanguage<T extends MailTemplate> = T extends keyof GuestMailData ? ShippedLanguage : Language;

const totalOf = ({ notices, more, counted = 0 }: MailData['notices']): number => notices.length + more + counted;
const listed = ({ notices }: MailData['notices']): string[] =>
  notices.map(({ title, body, at }) => `${at ? `${at} · ` : ''}${title}${body ? ` – ${body}` : ''}`);

/** Mails that a user can choose to receive differently. */
const chosen: ReadonlySet<MailTemplate> = new Set([
  'notices',
  'license_request',
  'license_ending',
  'invitation_accepted',
]);
const choose = { en: 'Choose your notifications', tr: 'Bildirimlerinizi seçin' };

/** The link to the user's choices, for mails that follow them. */
export const choicesOf = (template: MailTemplate, language: ShippedLanguage, link: string): Pick<Words, 'choices'> =>
  chosen.has(template) ? { choices: { label: choose[language === 'tr' ? 'tr' : 'en'], link } } : {};

type Write<T extends MailTemplate> = (data: MailData[T], brand: string) => Words;

/** A day in the notation of the language. */
const dayText = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(language === 'tr' ? 'tr-TR' : 'en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

const en: { [T in PanelTemplate]: Write<T> } = {
  welcome: ({ name, location, link, confirm }, brand) => ({
    subject: `Welcome to ${brand}`,
    heading: `Welcome, ${name}`,
    paragraphs: [
      location && confirm
        ? `Your account and the location ${location} are ready.`
        : location
          ? `Your account is ready: you are now a member of ${location}.`
          : 'Your account is ready.',
      confirm
        ? 'Next, add your router and choose how guests sign in. Then the portal is open. Also confirm that this address is yours.'
        : 'Sign in to see what you can do there.',
    ],
    button: { label: confirm ? 'Confirm your address' : 'Open the panel', link },
    note: 'You get this mail because an account was created with this address.',
  }),
  reset_code: ({ name, code, minutes }, brand) => ({
    subject: `${code} is your ${brand} code`,
    heading: 'Set a new password',
    paragraphs: [`Hello ${name}, enter this code on the page that asked for it. It is valid for ${minutes} minutes.`],
    code,
    note: 'If you did not ask for it, ignore this mail: nothing changes without the code. Do not share it.',
  }),
  password_changed: ({ name, link }, brand) => ({
    subject: `Your ${brand} password was changed`,
    heading: 'Your password was changed',
    paragraphs: [`Hello ${name}, your password was just changed. You were signed out everywhere else.`],
    button: { label: 'This was not me', link },
    note: 'If it was you, you need not do anything.',
  }),
  account_exists: ({ link }, brand) => ({
    subject: `You already have a ${brand} account`,
    heading: 'You already have an account',
    paragraphs: [
      `Someone entered this address to create a ${brand} account. It already has an account, so none was created.`,
      'If it was you, sign in. If you have forgotten your password, set a new one.',
    ],
    button: { label: 'Set a new password', link },
    note: 'If it was not you, you need not do anything.',
  }),
  security_change: ({ name, change, detail, link }, brand) => ({
    subject: securityWords.en[change](detail, brand).subject,
    heading: securityWords.en[change](detail, brand).heading,
    paragraphs: [`Hello ${name}, ${securityWords.en[change](detail, brand).text}`],
    button: { label: 'This was not me', link },
    note: 'If it was you, you need not do anything.',
  }),
  invitation: ({ location, inviter, link, days }, brand) => ({
    subject: `You are invited to ${location}`,
    heading: `Join ${location}`,
    paragraphs: [
      inviter
        ? `${inviter} invites you to manage the guest Wi-Fi of ${location} on ${brand}.`
        : `You are invited to manage the guest Wi-Fi of ${location} on ${brand}.`,
      `The link works once, for ${days} days, and for this address only.`,
    ],
    button: { label: 'Open the invitation', link },
    note: 'If you did not expect this invitation, ignore this mail.',
  }),
  invitation_accepted: ({ name, email, location, link }) => ({
    subject: `${name} joined ${location}`,
    heading: 'Your invitation was accepted',
    paragraphs: [`${name} (${email}) is now a member of ${location}.`],
    button: { label: 'Show the administrators', link },
    note: 'You get this mail because you sent the invitation.',
  }),
  license_request: ({ location, name, email, years, link }) => ({
    subject: `Licence request from ${location}`,
    heading: 'Licence request',
    paragraphs: [
      `${name} (${email}) requests a licence of ${years} ${years === 1 ? 'year' : 'years'} for ${location}.`,
    ],
    button: { label: 'Open the customer', link },
    note: 'You get this mail as an administrator.',
  }),
  licence_receipt: it => ({
    subject: `Receipt for the licence of ${it.location}`,
    heading: 'Thank you for your payment',
    paragraphs: [
      `The licence of ${it.location} for ${it.years} ${it.years === 1 ? 'year' : 'years'} is paid: ${it.amount}. It is valid until ${dayText(it.until, 'en')}.`,
      ...(it.tax ? [`The amount includes ${it.tax} of tax (${it.rate}).`] : []),
    ],
    button: { label: 'Open the panel', link: it.link },
    note: `Payment ${it.order}.`,
  }),
  license_ending: ({ location, days, link }) => ({
    subject:
      days > 0
        ? `The licence of ${location} ends in ${days} ${days === 1 ? 'day' : 'days'}`
        : `The licence of ${location} has ended`,
    heading: days > 0 ? 'A licence ends soon' : 'A licence has ended',
    paragraphs: [
      days > 0
        ? `The licence of ${location} ends in ${days} ${days === 1 ? 'day' : 'days'}. After that, guests can no longer sign in. Nothing is deleted.`
        : `The licence of ${location} has ended. Guests can no longer sign in. Nothing was deleted.`,
    ],
    button: { label: 'Request a licence', link },
    note: 'You get this mail because you manage this location.',
  }),
  notices: data => ({
    subject: data.digest
      ? `Your daily mail: ${totalOf(data)} ${totalOf(data) === 1 ? 'notification' : 'notifications'}`
      : data.notices.length > 1
        ? `${data.notices[0]!.title}, and ${totalOf(data) - 1} more`
        : data.notices[0]!.title,
    heading: data.digest
      ? 'Your notifications of the last day'
      : data.notices.length > 1
        ? 'Notifications for you'
        : 'A notification for you',
    paragraphs: [
      ...listed(data),
      ...(data.more ? [`There are ${data.more} more in the panel.`] : []),
      ...(data.zone ? [`Times are in the time zone ${data.zone}.`] : []),
    ],
    button: { label: 'Show all notifications', link: data.link },
    note: 'You get this mail because you chose it for these notifications.',
  }),
  confirm_email: ({ name, link, hours }, brand) => ({
    subject: `Confirm your e-mail address for ${brand}`,
    heading: 'Confirm your e-mail address',
    paragraphs: [`Hello ${name}, confirm that this address is yours. The link works for ${hours} hours.`],
    button: { label: 'Confirm', link },
    note: 'If you did not ask for it, ignore this mail: nothing changes.',
  }),
  email_changing: ({ name, email }, brand) => ({
    subject: `Your ${brand} e-mail address will change`,
    heading: 'Your e-mail address will change',
    paragraphs: [
      `Hello ${name}, someone asked to change your address to ${email}. The change takes effect when it is confirmed there.`,
    ],
    note: 'If this was not you, change your password at once.',
  }),
  report: ({ name, location, frequency, from, to, most, link, attachments }) => ({
    subject: `${name}: ${location}, ${dayText(from, 'en')} – ${dayText(to, 'en')}`,
    heading: frequency === 'weekly' ? 'Your weekly report' : 'Your monthly report',
    paragraphs: [
      `${location}, ${dayText(from, 'en')} to ${dayText(to, 'en')}, by the location’s clock. Attached: ${attachments.map(file => file.name).join(', ')}.`,
      ...(most ? [`Each file has the first ${most} rows at most. Download all rows in the panel.`] : []),
    ],
    button: { label: 'Change or stop these mails', link },
    note: 'You get this mail because an administrator of the location chose your address for its reports.',
  }),
};

const tr: { [T in PanelTemplate]: Write<T> } = {
  welcome: ({ name, location, link, confirm }, brand) => ({
    subject: `${brand} hesabınız hazır`,
    heading: `Hoş geldiniz, ${name}`,
    paragraphs: [
      location && confirm
        ? `Hesabınız ve ${location} lokasyonunuz hazır.`
        : location
          ? `Hesabınız hazır: artık ${location} ekibindesiniz.`
          : 'Hesabınız hazır.',
      confirm
        ? 'Şimdi yönlendiricinizi ekleyin, misafirlerin nasıl giriş yapacağını seçin; portalınız yayında. Bu adresin size ait olduğunu da doğrulayın.'
        : 'Neler yapabileceğinizi görmek için giriş yapın.',
    ],
    button: { label: confirm ? 'Adresinizi doğrulayın' : 'Paneli aç', link },
    note: 'Bu e-postayı, bu adresle bir hesap açıldığı için alıyorsunuz.',
  }),
  reset_code: ({ name, code, minutes }, brand) => ({
    subject: `${brand} kodunuz: ${code}`,
    heading: 'Yeni parola belirleyin',
    paragraphs: [`Merhaba ${name}, bu kodu sizden isteyen sayfaya yazın. Kod ${minutes} dakika geçerlidir.`],
    code,
    note: 'Bu isteği siz yapmadıysanız e-postayı dikkate almayın: kod girilmeden hiçbir şey değişmez. Kodu kimseyle paylaşmayın.',
  }),
  password_changed: ({ name, link }, brand) => ({
    subject: `${brand} parolanız değiştirildi`,
    heading: 'Parolanız değiştirildi',
    paragraphs: [`Merhaba ${name}, parolanız az önce değiştirildi ve diğer oturumlarınız kapatıldı.`],
    button: { label: 'Bunu ben yapmadım', link },
    note: 'Değişikliği siz yaptıysanız bir şey yapmanız gerekmez.',
  }),
  account_exists: ({ link }, brand) => ({
    subject: `Zaten bir ${brand} hesabınız var`,
    heading: 'Zaten bir hesabınız var',
    paragraphs: [
      `Bu adresle bir ${brand} hesabı açılmak istendi. Adresin zaten bir hesabı olduğu için yeni hesap açılmadı.`,
      'Bunu siz yaptıysanız giriş yapın; parolanızı unuttuysanız yeni bir parola belirleyin.',
    ],
    button: { label: 'Yeni parola belirle', link },
    note: 'Bunu siz yapmadıysanız bir şey yapmanız gerekmez.',
  }),
  security_change: ({ name, change, detail, link }, brand) => ({
    subject: securityWords.tr[change](detail, brand).subject,
    heading: securityWords.tr[change](detail, brand).heading,
    paragraphs: [`Merhaba ${name}, ${securityWords.tr[change](detail, brand).text}`],
    button: { label: 'Bunu ben yapmadım', link },
    note: 'Bunu siz yaptıysanız bir şey yapmanız gerekmez.',
  }),
  invitation: ({ location, inviter, link, days }, brand) => ({
    subject: `${location} sizi davet ediyor`,
    heading: `${location} ekibine katılın`,
    paragraphs: [
      inviter
        ? `${inviter}, sizi ${brand} üzerinde ${location} misafir Wi-Fi ağını yönetmeye davet ediyor.`
        : `${brand} üzerinde ${location} misafir Wi-Fi ağını yönetmeye davet edildiniz.`,
      `Bağlantı ${days} gün boyunca, bir kez ve yalnızca bu adres için geçerlidir.`,
    ],
    button: { label: 'Daveti gör', link },
    note: 'Bu davetin ne olduğunu bilmiyorsanız e-postayı dikkate almayın.',
  }),
  invitation_accepted: ({ name, email, location, link }) => ({
    subject: `${name} artık ${location} ekibinde`,
    heading: 'Davetiniz kabul edildi',
    paragraphs: [`${name} (${email}) artık ${location} ekibinde.`],
    button: { label: 'Yöneticileri gör', link },
    note: 'Bu e-postayı, daveti siz gönderdiğiniz için alıyorsunuz.',
  }),
  license_request: ({ location, name, email, years, link }) => ({
    subject: `${location} lisans istiyor`,
    heading: 'Lisans talebi',
    paragraphs: [`${name} (${email}), ${location} için ${years} yıllık lisans talep ediyor.`],
    button: { label: 'Müşteriyi aç', link },
    note: 'Bu e-postayı yönetici olduğunuz için alıyorsunuz.',
  }),
  licence_receipt: it => ({
    subject: `${it.location} lisans makbuzu`,
    heading: 'Ödemeniz için teşekkürler',
    paragraphs: [
      `${it.location} için ${it.years} yıllık lisans ödendi: ${it.amount}. Lisans ${dayText(it.until, 'tr')} tarihine kadar geçerlidir.`,
      ...(it.tax ? [`Tutara ${it.tax} vergi dahildir (${it.rate}).`] : []),
    ],
    button: { label: 'Paneli aç', link: it.link },
    note: `Ödeme ${it.order}.`,
  }),
  license_ending: ({ location, days, link }) => ({
    subject: days > 0 ? `${location} lisansının bitmesine ${days} gün kaldı` : `${location} lisansı sona erdi`,
    heading: days > 0 ? 'Lisans süresi bitiyor' : 'Lisans sona erdi',
    paragraphs: [
      days > 0
        ? `${location} lisansı ${days} gün sonra bitiyor. Bu süreden sonra misafirler giriş yapamaz; hiçbir veri silinmez.`
        : `${location} lisansı sona erdi: misafirler giriş yapamıyor. Hiçbir veri silinmedi.`,
    ],
    button: { label: 'Lisans iste', link },
    note: 'Bu e-postayı, bu lokasyonu yönettiğiniz için alıyorsunuz.',
  }),
  notices: data => ({
    subject: data.digest
      ? `Günlük e-postanız: ${totalOf(data)} bildirim`
      : data.notices.length > 1
        ? `${data.notices[0]!.title} ve ${totalOf(data) - 1} bildirim daha`
        : data.notices[0]!.title,
    heading: data.digest
      ? 'Son günün bildirimleri'
      : data.notices.length > 1
        ? 'Yeni bildirimleriniz var'
        : 'Yeni bir bildiriminiz var',
    paragraphs: [
      ...listed(data),
      ...(data.more ? [`Panelde ${data.more} bildirim daha var.`] : []),
      ...(data.zone ? [`Saatler ${data.zone} saat dilimine göredir.`] : []),
    ],
    button: { label: 'Tüm bildirimleri göster', link: data.link },
    note: 'Bu e-postayı, bu bildirimler için e-postayı seçtiğinizden alıyorsunuz.',
  }),
  confirm_email: ({ name, link, hours }, brand) => ({
    subject: `${brand} için e-posta adresinizi doğrulayın`,
    heading: 'E-posta adresinizi doğrulayın',
    paragraphs: [`Merhaba ${name}, bu adresin size ait olduğunu doğrulayın. Bağlantı ${hours} saat geçerlidir.`],
    button: { label: 'Doğrula', link },
    note: 'Bu isteği siz yapmadıysanız e-postayı dikkate almayın: hiçbir şey değişmez.',
  }),
  email_changing: ({ name, email }, brand) => ({
    subject: `${brand} e-posta adresiniz değişmek üzere`,
    heading: 'E-posta adresiniz değişmek üzere',
    paragraphs: [
      `Merhaba ${name}, adresinizin ${email} olarak değiştirilmesi istendi. Değişiklik o adresten doğrulanınca geçerli olur.`,
    ],
    note: 'Bunu siz yapmadıysanız parolanızı hemen değiştirin.',
  }),
  report: ({ name, location, frequency, from, to, most, link, attachments }) => ({
    subject: `${name}: ${location}, ${dayText(from, 'tr')} – ${dayText(to, 'tr')}`,
    heading: frequency === 'weekly' ? 'Haftalık raporunuz' : 'Aylık raporunuz',
    paragraphs: [
      `${location}, ${dayText(from, 'tr')} – ${dayText(to, 'tr')}; günler lokasyonun saatine göredir. Ekler: ${attachments.map(file => file.name).join(', ')}.`,
      ...(most ? [`Dosyalarda yalnızca ilk ${most} satır vardır; tamamını panelden indirebilirsiniz.`] : []),
    ],
    button: { label: 'Bu e-postaları değiştir veya durdur', link },
    note: 'Bu e-postayı, lokasyonun bir yöneticisi raporlar için adresinizi seçtiği için alıyorsunuz.',
  }),
};

/** The text of a mail in its recipient's language. */
export function write<T extends MailTemplate>(
  template: T,
  language: ShippedLanguage,
  data: MailData[T],
  brand: string,
): Words {
  const own: { [K in MailTemplate]?: Write<K> } = language === 'tr' ? tr : en;
  const write = { ...own, ...guestMails[language] }[template] as Write<T>;
  return write(data, brand);
}
