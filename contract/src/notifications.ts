import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, pageQuery, queryFlag, time } from './fields.ts';

/** The texts of notifications; `{name}` is replaced by a value of the notification's `data`. */
export const notices = {
  device_offline: {
    en: ['{device} is offline', 'Location: {location}.'],
    tr: ['{device} çevrimdışı', 'Cihazdan {location} lokasyonunda bir süredir haber alınamıyor.'],
  },
  device_online: {
    en: ['{device} is back', 'It is online again at {location}.'],
    tr: ['{device} yeniden çevrimiçi', 'Cihaz {location} lokasyonunda tekrar bağlandı.'],
  },
  commands_waiting: {
    en: [
      '{device} does not take commands',
      '{location}: {waiting} waiting. A block or release does not apply there until the router takes it.',
    ],
    tr: [
      '{device} komutları almıyor',
      '{location}: bekleyen komut sayısı {waiting}. Yönlendirici almadıkça engelleme veya izin orada geçerli olmaz.',
    ],
  },
  failed_sign_ins: {
    en: [
      'Many sign-ins of guests fail at {location}',
      '{failed} failed in the last hour, more than three times as many as usual.',
    ],
    tr: [
      '{location}: birçok misafir girişi başarısız',
      'Son bir saatte {failed} giriş başarısız oldu. Bu, her zamanki sayının üç katından fazla.',
    ],
  },
  certificate_ending: {
    en: ['A certificate of {device} expires soon', '{certificate}, days left: {days}. Issue a new one in time.'],
    tr: ['{device} cihazının bir sertifikası bitiyor', '{certificate}, kalan gün: {days}. Zamanında yenisini verin.'],
  },
  license_ending: {
    en: ['The licence of {location} is ending', 'Days left: {days}.'],
    tr: ['{location} lisansı bitiyor', 'Kalan gün: {days}.'],
  },
  license_over: {
    en: ['The licence of {location} has ended', 'Guests can no longer sign in there.'],
    tr: ['{location} lisansı sona erdi', 'Misafirler artık giriş yapamıyor.'],
  },
  location_suspended: {
    en: ['The service of {location} was suspended', 'Guests can no longer sign in there.'],
    tr: ['{location} hizmeti askıya alındı', 'Misafirler artık giriş yapamıyor.'],
  },
  location_resumed: {
    en: ['The service of {location} was resumed', 'Guests can sign in again.'],
    tr: ['{location} yeniden hizmette', 'Misafirler tekrar giriş yapabiliyor.'],
  },
  customer_given: {
    en: ['{location} is your customer now', '{user} transferred it to you.'],
    tr: ['{location} artık sizin müşteriniz', '{user} bu müşteriyi size devretti.'],
  },
  license_requested: {
    en: ['{location} requests a licence', '{user} requests {years} years.'],
    tr: ['{location} lisans istiyor', '{user}, {years} yıllık lisans talep etti.'],
  },
  sms_limit: {
    en: ['{percent}% of the SMS of {location} are used', '{used} of {limit} were sent.'],
    tr: ['{location} SMS hakkının %{percent} kadarını kullandı', '{limit} SMS’in {used} tanesi gönderildi.'],
  },
  mail_limit: {
    en: [
      '{percent}% of the e-mails of a day are used',
      '{used} of {limit} were sent in 24 hours. At the limit no invitations, reports and confirmations of guests are sent.',
    ],
    tr: [
      'Günlük e-posta hakkının %{percent} kadarı kullanıldı',
      '24 saatte {limit} e-postanın {used} tanesi gönderildi. Sınıra ulaşıldığında davet, rapor ve misafir onayı gönderilmez.',
    ],
  },
  domain_unproven: {
    en: [
      'The DNS record of {host} is missing',
      'Put it back, or {host} stops leading to your panel. Days left: {days}. The record is under Settings, Domains.',
    ],
    tr: [
      '{host} alan adının DNS kaydı yok',
      'Kaydı geri ekleyin; yoksa {host} artık panelinizi açmayacak. Kalan gün: {days}. Kayıt Ayarlar, Alan adları altında.',
    ],
  },
  domain_stopped: {
    en: [
      '{host} no longer leads to your panel',
      'Its DNS record was missing for too long. Put it back, then check it under Settings, Domains.',
    ],
    tr: [
      '{host} artık panelinizi açmıyor',
      'DNS kaydı uzun süredir yok. Kaydı geri ekleyip Ayarlar, Alan adları altında denetleyin.',
    ],
  },
  invitation_received: {
    en: ['You are invited to {location}', '{user} invites you to manage it.'],
    tr: ['{location} lokasyonuna davet edildiniz', '{user} sizi yönetime davet ediyor.'],
  },
  invitation_accepted: {
    en: ['{user} accepted your invitation', 'Now a member of {location}.'],
    tr: ['{user} davetinizi kabul etti', 'Artık {location} ekibinde.'],
  },
  invitation_denied: {
    en: ['{user} declined your invitation', 'It was for {location}.'],
    tr: ['{user} davetinizi reddetti', 'Davet {location} içindi.'],
  },
  webhooks_left: {
    en: [
      'A removed member had set up webhooks of {location}',
      '{names}: {user} set these up, and they go on. Check where they lead, or delete them.',
    ],
    tr: [
      '{location}: çıkarılan bir üye webhook kurmuştu',
      '{names}: bunları {user} kurmuştu ve çalışmaya devam ediyorlar. Nereye gittiklerini denetleyin veya silin.',
    ],
  },
  integration_failing: {
    en: ['The integration {integration} is failing', '{reason_en}'],
    tr: ['{integration} entegrasyonu çalışmıyor', '{reason_tr}'],
  },
  integration_recovered: {
    en: ['The integration {integration} works again', 'The problem was solved.'],
    tr: ['{integration} entegrasyonu yeniden çalışıyor', 'Çalışmasını engelleyen sorun giderildi.'],
  },
  login_host_refused: {
    en: [
      'Guests of {device} came with an unknown sign-in page',
      'It is at {host}, and guests are not sent there. If it is another hotspot of the device, accept it with the device doctor; otherwise a stranger may be luring guests.',
    ],
    tr: [
      '{device} misafirleri bilinmeyen bir giriş sayfasıyla geldi',
      'Sayfa {host} adresinde; misafirler oraya gönderilmiyor. Cihazın başka bir hotspot’uysa cihaz doktorunda kabul edin; değilse bir yabancı misafirleri kandırıyor olabilir.',
    ],
  },
  controller_failing: {
    en: [
      'The controller of {device} does not work: guests cannot sign in',
      'Reason: “{words}”. Examine the device with the device doctor.',
    ],
    tr: [
      '{device} cihazının denetleyicisi çalışmıyor: misafirler giriş yapamıyor',
      'Neden: “{words}”. Cihazı cihaz doktoruyla denetleyin.',
    ],
  },
  controller_recovered: {
    en: ['The controller of {device} works again', 'Guests can sign in.'],
    tr: ['{device} cihazının denetleyicisi yeniden çalışıyor', 'Misafirler giriş yapabilir.'],
  },
  log_chain_broken: {
    en: ['A log file of {device} was changed or is missing', 'Day: {day}, type: {type}.'],
    tr: ['{device} cihazının bir log dosyası değişmiş veya eksik', 'Gün: {day}, tür: {type}.'],
  },
  log_silence: {
    en: [
      '{device} sends no logs',
      'Location: {location}. The last line came more than a day ago. The legal record has a gap until logs come again.',
    ],
    tr: [
      '{device} log göndermiyor',
      'Lokasyon: {location}. Son satır bir günden uzun süre önce geldi. Loglar yeniden gelene kadar yasal kayıtta boşluk kalır.',
    ],
  },
  log_lines_quarantined: {
    en: [
      'Log lines of {device} are not accepted',
      '{lines} lines came from addresses that the device has not proven, such as {address}. Trust the address if it belongs to the device. Otherwise, another sender is using its name.',
    ],
    tr: [
      '{device} adına gelen log satırları kabul edilmiyor',
      'Cihazın kendisine ait olduğunu kanıtlamadığı adreslerden {lines} satır geldi (örneğin {address}). Adres cihazınsa güvenin; değilse bir yabancı cihazın adını kullanıyor.',
    ],
  },
  clock_doubted: {
    en: [
      'The server’s clock may be wrong: nothing is erased',
      'It shows {now}, and was last known to be right on {known}. Those who run the server confirm a right clock with “portico clock confirm”; otherwise old records are erased again after {days} days.',
    ],
    tr: [
      'Sunucunun saati yanlış olabilir: hiçbir kayıt silinmiyor',
      'Saat {now} gösteriyor; doğru olduğu bilinen son gün {known}. Saat doğruysa sunucuyu işletenler “portico clock confirm” komutuyla onaylar; onaylanmazsa eski kayıtlar {days} gün sonra yeniden silinmeye başlar.',
    ],
  },
} as const satisfies Record<string, { en: readonly [string, string]; tr: readonly [string, string] }>;
export type NoticeKind = keyof typeof notices;

/** Titles of notifications about several devices, which an outage brings together, and how their list of names ends. */
export const collected = {
  device_offline: {
    en: ['{count} devices are offline', '{others} more', 'and {others} more offline'],
    tr: ['{count} cihaz çevrimdışı', '{others} cihaz daha', 've {others} cihaz daha çevrimdışı'],
  },
  device_online: {
    en: ['{count} devices are back', '{others} more', 'and {others} more back'],
    tr: ['{count} cihaz yeniden çevrimiçi', '{others} cihaz daha', 've {others} cihaz daha yeniden çevrimiçi'],
  },
  commands_waiting: {
    en: ['{count} devices do not take commands', '{others} more', 'and {others} more not taking commands'],
    tr: ['{count} cihaz komutları almıyor', '{others} cihaz daha', 've {others} cihaz daha komutları almıyor'],
  },
  log_silence: {
    en: ['{count} devices send no logs', '{others} more', 'and {others} more not sending logs'],
    tr: ['{count} cihaz log göndermiyor', '{others} cihaz daha', 've {others} cihaz daha log göndermiyor'],
  },
} as const satisfies Partial<
  Record<NoticeKind, { en: readonly [string, string, string]; tr: readonly [string, string, string] }>
>;
export const isCollected = (kind: NoticeKind): kind is keyof typeof collected => Object.hasOwn(collected, kind);

export const notification = z.object({
  id,
  kind: z.enum(Object.keys(notices) as [NoticeKind, ...NoticeKind[]]),
  /** In the caller's language. */
  title: z.string(),
  body: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
  /** null: of the tenant, or of devices at several locations. */
  location_id: id.nullable(),
  /** The locations of its devices, at most 100. */
  location_ids: z.array(id),
  /** null: of no device, or of several. */
  device_id: id.nullable(),
  /** More than 1: an outage of several devices, shown as one. Its id is that of the newest. */
  devices: z.number().int(),
  read_at: time.nullable(),
  created_at: time,
});
export type Notification = z.output<typeof notification>;

const listed = page(notification);

export const notificationsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/notification',
    access: 'signed-in',
    summary:
      'Notifications of the caller, newest first; devices of one outage are one. `meta.unread` is the number of unread ones',
    query: z.object({ ...pageQuery(), unread: queryFlag.optional() }),
    reply: listed.extend({ meta: listed.shape.meta.extend({ unread: z.number() }) }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/v1/panel/notification/:id/read',
    access: 'signed-in',
    summary: 'Mark a notification as read',
    params: idParams,
    reply: one(notification),
    status: 200,
  }),
  readAll: endpoint({
    method: 'POST',
    path: '/v1/panel/notification/read-all',
    access: 'signed-in',
    summary: 'Mark every notification as read, or those up to the newest that the caller has seen',
    query: z.object({ until: id.optional() }),
    reply: 'none',
  }),
} as const;
