import { z } from 'zod';

export const languages = ['tr', 'en'] as const;
export type Language = (typeof languages)[number];

/** Every error of the API with its status and message. `{name}` is replaced by a value. */
export const problems = {
  bad_request: { status: 400, en: 'The request could not be read.', tr: 'İstek okunamadı.' },
  not_signed_in: { status: 401, en: 'Sign in first.', tr: 'Önce giriş yapın.' },
  wrong_credentials: { status: 401, en: 'The e-mail or the password is wrong.', tr: 'E-posta veya parola hatalı.' },
  not_allowed: { status: 403, en: 'You are not allowed to do this.', tr: 'Bunu yapmaya yetkiniz yok.' },
  sign_in_to_confirm: {
    status: 403,
    en: 'Sign in to the account that this link belongs to, then open the link again.',
    tr: 'Bu bağlantının ait olduğu hesapla giriş yapın, ardından bağlantıyı yeniden açın.',
  },
  email_unconfirmed: {
    status: 403,
    en: 'Confirm your e-mail address first, with the link that was mailed to you. You can have it sent again in your account settings.',
    tr: 'Önce e-posta adresinizi, size gönderilen bağlantıyla doğrulayın. Bağlantıyı hesap ayarlarınızdan yeniden gönderebilirsiniz.',
  },
  sso_required: {
    status: 403,
    en: 'Accounts of this tenant sign in with {label}.',
    tr: 'Bu bayinin hesapları {label} ile giriş yapar.',
  },
  sso_email: {
    status: 403,
    en: '{label} did not confirm an e-mail address of a domain that may sign in here. Ask your administrator.',
    tr: '{label}, burada giriş yapabilen bir alan adından e-posta adresi doğrulamadı. Yöneticinize danışın.',
  },
  sso_no_account: {
    status: 403,
    en: 'There is no account here for {email} yet. Ask an administrator to add you.',
    tr: '{email} için burada henüz bir hesap yok. Bir yöneticiden sizi eklemesini isteyin.',
  },
  sso_no_rights: {
    status: 403,
    en: 'Your groups at {label} give you no access here. Ask your administrator.',
    tr: '{label} üzerindeki gruplarınız size burada erişim vermiyor. Yöneticinize danışın.',
  },
  sso_linked: {
    status: 403,
    en: 'The account {email} belongs to another account at {label}. An administrator can separate them.',
    tr: '{email} hesabı {label} üzerinde başka bir hesaba bağlı. Bir yönetici bu bağı kaldırabilir.',
  },
  registration_closed: {
    status: 403,
    en: 'You need an invitation to register here. Ask an administrator to invite you.',
    tr: 'Burada yalnızca davetle hesap açılabilir. Bir yöneticiden sizi davet etmesini isteyin.',
  },
  two_factor_setup: {
    status: 403,
    en: 'A second factor is required here. Set it up first.',
    tr: 'Burada iki adımlı doğrulama zorunlu. Önce onu kurun.',
  },
  file_link_over: {
    status: 404,
    en: 'This link has expired. Links to log files work for ten minutes. Go back to the log files and press Download again.',
    tr: 'Bu bağlantı artık çalışmıyor. Log dosyalarının bağlantıları on dakika geçerlidir. Log dosyalarına dönüp yeniden İndir’e basın.',
  },
  link_unknown: {
    status: 404,
    en: 'This link is incomplete, or a newer one has replaced it. Open the link in the latest e-mail.',
    tr: 'Bu bağlantı eksik ya da yerine yenisi gönderilmiş. En son gelen e-postadaki bağlantıyı açın.',
  },
  host_refused: {
    status: 404,
    en: 'This demo does not answer under the name {host}. To use this name, set PUBLIC_URL to it in the settings of the server.',
    tr: 'Bu demo {host} adıyla yanıt vermiyor. Bu adı kullanmak için sunucu ayarlarında PUBLIC_URL değerini bu ada ayarlayın.',
  },
  not_found: { status: 404, en: 'Not found.', tr: 'Bulunamadı.' },
  method_not_allowed: {
    status: 405,
    en: 'This address does not support this method.',
    tr: 'Bu adres bu yöntemi kabul etmiyor.',
  },
  conflict: {
    status: 409,
    en: 'This was changed or used elsewhere in the meantime.',
    tr: 'Bu kayıt bu arada başka bir yerde değişti veya kullanıldı.',
  },
  end_changed: {
    status: 409,
    en: 'The end was changed in the meantime. Nothing was added. Check the new end first.',
    tr: 'Bitiş bu arada değişti. Hiçbir şey eklenmedi: önce yeni bitişi denetleyin.',
  },
  in_progress: {
    status: 409,
    en: 'This request is still being processed. Send it again in a moment.',
    tr: 'Bu istek hâlâ yürütülüyor. Kısa bir süre sonra yeniden gönderin.',
  },
  answer_lost: {
    status: 409,
    en: 'This request was completed, but its response was lost. Check the result before you repeat it with a new Idempotency-Key.',
    tr: 'Bu istek yerine getirildi, ancak yanıtı kayboldu. Yeni bir Idempotency-Key ile yinelemeden önce sonuca bakın.',
  },
  portal_changed: {
    status: 409,
    en: 'This portal was changed elsewhere since you opened it. Nothing was saved.',
    tr: 'Bu portal siz açtıktan sonra başka bir yerde değiştirildi. Hiçbir şey kaydedilmedi.',
  },
  no_draft: { status: 409, en: 'There is no draft to publish.', tr: 'Yayımlanacak bir taslak yok.' },
  in_use: { status: 409, en: 'This is still in use: {by}.', tr: 'Bu kayıt hâlâ kullanılıyor: {by}.' },
  no_subscription: {
    status: 409,
    en: 'The demo and the licence of this device have ended.',
    tr: 'Bu cihazın demosu ve lisansı sona ermiş.',
  },
  service_suspended: {
    status: 409,
    en: 'The service of this location is suspended.',
    tr: 'Bu lokasyonun hizmeti askıya alınmış.',
  },
  secret_unreadable: {
    status: 409,
    en: 'The secret of this device cannot be read because it was encrypted with another SECRET_KEY. Restore that key, or give the device a new secret on its Connection page.',
    tr: 'Bu cihazın gizli anahtarı okunamıyor: başka bir SECRET_KEY ile saklanmış. O anahtarı geri koyun ya da Bağlantı sayfasından cihaza yeni bir gizli anahtar verin.',
  },
  stored_unreadable: {
    status: 409,
    en: 'The stored data cannot be read because it was encrypted with another SECRET_KEY. Restore that key, or enter the data again.',
    tr: 'Burada saklanan bilgi okunamıyor: başka bir SECRET_KEY ile saklanmış. O anahtarı geri koyun ya da bilgiyi yeniden kaydedin.',
  },
  two_factor_unreadable: {
    status: 409,
    en: 'Your second factor cannot be read because it was encrypted with another SECRET_KEY. The operator of the server can remove it with “portico user reset-password --drop-two-factor”; then set it up again.',
    tr: 'İkinci doğrulama adımınız okunamıyor: başka bir SECRET_KEY ile saklanmış. Sunucuyu işletenler “portico user reset-password --drop-two-factor” komutuyla kapatabilir; ardından yeniden kurun.',
  },
  radsec_off: {
    status: 409,
    en: 'RADIUS over TLS is switched off on this installation.',
    tr: 'Bu kurulumda TLS üzerinden RADIUS kapalı.',
  },
  certificates_enough: {
    status: 409,
    en: 'This device has {most} valid certificates. Revoke one first.',
    tr: 'Bu cihazın geçerli {most} sertifikası var. Önce birini iptal edin.',
  },
  visitor_erased: {
    status: 409,
    en: 'The personal data of this visitor was erased. The visitor can only be deleted.',
    tr: 'Bu ziyaretçinin kişisel verileri silinmiş; kayıt yalnızca silinebilir.',
  },
  last_admin: {
    status: 409,
    en: 'The tenant needs at least one administrator.',
    tr: 'En az bir bayi yöneticisi kalmalı.',
  },
  last_manager: {
    status: 409,
    en: 'The location needs at least one person who may manage it.',
    tr: 'Lokasyonu yönetebilen en az bir kişi kalmalı.',
  },
  role_kept: {
    status: 409,
    en: 'This role is offered to every location and cannot be deleted. You can change its permissions.',
    tr: 'Bu rol bütün lokasyonlara sunulduğu için silinemez. Kapsamını uyarlayabilirsiniz.',
  },
  role_own: {
    status: 409,
    en: 'This role was created here, so there is nothing to reset it to.',
    tr: 'Bu rol burada oluşturuldu; geri dönülecek bir hâli yok.',
  },
  suspended_above: {
    status: 403,
    en: 'An administrator suspended this customer. Only an administrator can resume it.',
    tr: 'Bu müşteriyi bir yönetici askıya aldı; yalnızca bir yönetici yeniden hizmete açabilir.',
  },
  outranked: {
    status: 403,
    en: 'This person has more permissions here than you.',
    tr: 'Bu kişinin buradaki yetkisi sizinkinden geniş.',
  },
  device_renewal: {
    status: 403,
    en: 'This device has a licence already. A tenant administrator extends it.',
    tr: 'Bu cihazın lisansı zaten var. Lisansı bayi yöneticisi uzatır.',
  },
  invitation_unknown: {
    status: 404,
    en: 'This invitation does not exist, or a newer one has replaced it. Open the link in your latest e-mail, or ask for a new invitation.',
    tr: 'Bu davetiye yok ya da yerine yenisi gönderilmiş. En son gelen e-postadaki bağlantıyı açın ya da yeni bir davetiye isteyin.',
  },
  invitation_used: {
    status: 409,
    en: 'This invitation was used already. If you accepted it, sign in. Otherwise ask for a new one.',
    tr: 'Bu davetiye daha önce kullanılmış. Siz kabul ettiyseniz giriş yapın, etmediyseniz yenisini isteyin.',
  },
  invitation_declined: {
    status: 409,
    en: 'This invitation was declined. If you changed your mind, ask for a new one.',
    tr: 'Bu davetiye reddedilmiş. Fikriniz değiştiyse yenisini isteyin.',
  },
  invitation_cancelled: {
    status: 409,
    en: 'This invitation was withdrawn. Ask for a new one.',
    tr: 'Bu davetiye geri çekilmiş. Yenisini isteyin.',
  },
  invitation_expired: {
    status: 409,
    en: 'This invitation has expired. Ask for a new one.',
    tr: 'Bu davetiyenin süresi dolmuş. Yenisini isteyin.',
  },
  invitation_for_other: {
    status: 409,
    en: 'This invitation is for {email}. Sign out, then open the link again.',
    tr: 'Bu davetiye {email} için. Oturumu kapatıp bağlantıyı yeniden açın.',
  },
  link_over: {
    status: 409,
    en: 'This link has expired. Ask for a new one.',
    tr: 'Bu bağlantının süresi dolmuş. Yenisini isteyin.',
  },
  domain_unproven: {
    status: 409,
    en: 'The TXT record of {name} does not have this value yet. New records can take an hour to appear.',
    tr: '{name} adının TXT kaydında bu değer henüz yok. Yeni kayıtların görünmesi bir saati bulabilir.',
  },
  sso_off: {
    status: 409,
    en: 'Single sign-on is not set up here.',
    tr: 'Burada tek oturum açma kurulu değil.',
  },
  sso_unreachable: {
    status: 409,
    en: '{label} cannot be reached at the moment. Try again later.',
    tr: '{label} şu an yanıt vermiyor. Daha sonra yeniden deneyin.',
  },
  sso_emergency: {
    status: 409,
    en: 'This is the emergency account of single sign-on. Choose another one there first.',
    tr: 'Bu, tek oturum açmanın acil durum hesabı. Önce orada başka bir hesap seçin.',
  },
  sso_host: {
    status: 409,
    en: 'Single sign-on cannot be used at this address of the panel.',
    tr: 'Panelin bu adresinde tek oturum açma kullanılamaz.',
  },
  too_large: { status: 413, en: 'This is too large.', tr: 'Gönderilen veri çok büyük.' },
  unsupported_media: {
    status: 415,
    en: 'This kind of content is not accepted.',
    tr: 'Bu içerik türü kabul edilmiyor.',
  },
  passkey_refused: {
    status: 422,
    en: 'The passkey was not accepted. Try again.',
    tr: 'Geçiş anahtarı kabul edilmedi. Yeniden deneyin.',
  },
  passkey_host: {
    status: 409,
    en: 'Passkeys cannot be used at this address of the panel.',
    tr: 'Panelin bu adresinde geçiş anahtarı kullanılamaz.',
  },
  passkey_missing: {
    status: 409,
    en: 'Your account has no passkey for this address of the panel. Use another second factor.',
    tr: 'Hesabınızın panelin bu adresi için bir geçiş anahtarı yok. Başka bir doğrulama yöntemi kullanın.',
  },
  passkey_after_password: {
    status: 403,
    en: 'Your password was reset. Sign in with the new password once. After that, this passkey works again without the password.',
    tr: 'Parolanız sıfırlandı. Önce yeni parolanızla giriş yapın; ardından bu geçiş anahtarı tek başına yeniden kullanılabilir.',
  },
  tokens_enough: {
    status: 409,
    en: 'Your account has {most} access tokens. Revoke one first.',
    tr: 'Hesabınızda {most} erişim anahtarı var. Önce birini iptal edin.',
  },
  passkeys_enough: {
    status: 409,
    en: 'Your account has {most} passkeys. Remove one first.',
    tr: 'Hesabınızda {most} geçiş anahtarı var. Önce birini kaldırın.',
  },
  sso_failed: {
    status: 422,
    en: 'The sign-in was not completed. Start it again.',
    tr: 'Giriş tamamlanmadı. Yeniden başlayın.',
  },
  two_factor_required: {
    status: 422,
    en: 'Enter the code of your authenticator app.',
    tr: 'Kimlik doğrulama uygulamanızdaki kodu girin.',
  },
  key_reused: {
    status: 422,
    en: 'This Idempotency-Key was used for another request. Use a new one.',
    tr: 'Bu Idempotency-Key başka bir istekte kullanıldı. Yenisini kullanın.',
  },
  invalid: { status: 422, en: 'Some fields need your attention.', tr: 'Bazı alanları düzeltmeniz gerekiyor.' },
  too_many_tails: {
    status: 429,
    en: 'Too many live views are open already. Close one of them first.',
    tr: 'Zaten çok fazla canlı görünüm açık. Önce birini kapatın.',
  },
  mails_over: {
    status: 429,
    en: 'The limit of {limit} e-mails a day is reached, so this e-mail cannot be sent now. Try again later.',
    tr: 'Günlük {limit} e-posta sınırına ulaşıldı; bu e-posta şu an gönderilemiyor. Daha sonra tekrar deneyin.',
  },
  too_many: {
    status: 429,
    en: 'Too many attempts. Try again in {seconds} s.',
    tr: 'Çok fazla deneme yapıldı. {seconds} sn sonra tekrar deneyin.',
  },
  broken: { status: 500, en: 'Something went wrong on our side.', tr: 'Bizim tarafımızda bir hata oluştu.' },
  router_unreachable: { status: 502, en: 'The router could not be reached.', tr: 'Yönlendiriciye ulaşılamadı.' },
  tenant_moving: {
    status: 503,
    en: 'Your data is being moved to another server. You can look at everything, but not change it. Try again in a few minutes.',
    tr: 'Verileriniz başka bir sunucuya taşınıyor. Her şeyi görebilirsiniz, ancak değiştiremezsiniz. Birkaç dakika sonra tekrar deneyin.',
  },
  tenant_moved: {
    status: 404,
    en: 'Your data is on another server now: {url}',
    tr: 'Verileriniz artık başka bir sunucuda: {url}',
  },
  away: {
    status: 503,
    en: 'A part of the service is temporarily unavailable. Try again soon.',
    tr: 'Gerekli bir bileşene şu an ulaşılamıyor. Birazdan tekrar deneyin.',
  },
  pictures_busy: {
    status: 503,
    en: 'The server is busy, and this image would take too long now. Try again in a minute.',
    tr: 'Sunucu şu an yoğun; bu görselin işlenmesi çok uzun sürerdi. Bir dakika sonra yeniden deneyin.',
  },
  archive_away: {
    status: 503,
    en: 'The archive of older sessions can’t be reached. Without it the answer would be incomplete. Try again soon.',
    tr: 'Eski oturumların arşivine şu an ulaşılamıyor. Arşiv olmadan yanıt eksik olurdu. Birazdan tekrar deneyin.',
  },
} as const;

export type ProblemCode = keyof typeof problems;

/** The body of every error response. */
export const problem = z.object({
  message: z.string(),
  code: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** The stored values of fields for which the caller expected another value. */
  current: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
});
export type Problem = z.output<typeof problem>;

/** Replaces the `{name}` placeholders of a text. */
export const fill = (text: string, values: Record<string, unknown> = {}): string =>
  text.replace(/\{(\w+)\}/g, (place, key: string) => (key in values ? String(values[key]) : place));
