import type { Language } from '@portico/contract/errors.ts';

export type SecurityChange =
  | 'two_factor_on'
  | 'two_factor_off'
  | 'app_added'
  | 'app_removed'
  | 'token_created'
  | 'new_sign_in'
  | 'recovery_code_used'
  | 'recovery_codes_new'
  | 'passkey_added'
  | 'passkey_renamed'
  | 'passkey_removed'
  | 'passkey_refused'
  | 'provider_linked';

interface SecurityWords {
  readonly subject: string;
  readonly heading: string;
  readonly text: string;
}

/** The texts about the security of an account. `detail` names what changed. */
export const securityWords: Record<
  Language,
  Record<SecurityChange, (detail: string, brand: string) => SecurityWords>
> = {
  en: {
    two_factor_on: (_detail, brand) => ({
      subject: `Two-factor authentication is on for your ${brand} account`,
      heading: 'Two-factor authentication is on',
      text: 'two-factor authentication was just turned on for your account. You were signed out everywhere else.',
    }),
    two_factor_off: (_detail, brand) => ({
      subject: `Two-factor authentication is off for your ${brand} account`,
      heading: 'Two-factor authentication is off',
      text: 'two-factor authentication was just turned off for your account. The password alone is enough to sign in.',
    }),
    app_added: (_detail, brand) => ({
      subject: `New authenticator app for your ${brand} account`,
      heading: 'A new authenticator app',
      text: 'an authenticator app was just added to your account. You were signed out everywhere else. Your passkeys stay, and the recovery codes are new.',
    }),
    app_removed: (_detail, brand) => ({
      subject: `The authenticator app of your ${brand} account was removed`,
      heading: 'The authenticator app was removed',
      text: 'the authenticator app was just removed from your account. Two-factor authentication stays on, with your passkeys.',
    }),
    token_created: (detail, brand) => ({
      subject: `New access token for your ${brand} account`,
      heading: 'A new access token',
      text: `the access token “${detail}” was just created in your account. Software can use it to act for you.`,
    }),
    new_sign_in: (detail, brand) => ({
      subject: `New sign-in to your ${brand} account`,
      heading: 'A new sign-in',
      text: `a browser that was not used before has just signed in to your account: ${detail}.`,
    }),
    recovery_code_used: (detail, brand) => ({
      subject: `A recovery code of your ${brand} account was used`,
      heading: 'A recovery code was used',
      text: `a recovery code was just used to sign in to your account. Codes left: ${detail}.`,
    }),
    recovery_codes_new: (_detail, brand) => ({
      subject: `New recovery codes for your ${brand} account`,
      heading: 'New recovery codes',
      text: 'new recovery codes were just created for your account. The old ones no longer work.',
    }),
    passkey_added: (detail, brand) => ({
      subject: `New passkey for your ${brand} account`,
      heading: 'A new passkey',
      text: `the passkey “${detail}” was just added to your account. It can be used to sign in.`,
    }),
    passkey_renamed: (detail, brand) => ({
      subject: `A passkey of your ${brand} account was renamed`,
      heading: 'A passkey was renamed',
      text: `a passkey of your account was just renamed: ${detail}.`,
    }),
    passkey_removed: (detail, brand) => ({
      subject: `A passkey of your ${brand} account was removed`,
      heading: 'A passkey was removed',
      text: `the passkey “${detail}” was just removed from your account and can no longer be used to sign in.`,
    }),
    passkey_refused: (detail, brand) => ({
      subject: `A sign-in to your ${brand} account was refused`,
      heading: 'A passkey may have been copied',
      text: `a sign-in with the passkey “${detail}” was just refused, because a copy of it seems to have been used. If in doubt, remove it from your account.`,
    }),
    provider_linked: (detail, brand) => ({
      subject: `Your ${brand} account now signs in with ${detail}`,
      heading: 'A new way to sign in',
      text: `your account was just linked to your account at ${detail}, which can be used to sign in.`,
    }),
  },
  tr: {
    two_factor_on: (_detail, brand) => ({
      subject: `${brand} hesabınızda iki adımlı doğrulama açıldı`,
      heading: 'İki adımlı doğrulama açıldı',
      text: 'hesabınızda iki adımlı doğrulama az önce açıldı ve diğer oturumlarınız kapatıldı.',
    }),
    two_factor_off: (_detail, brand) => ({
      subject: `${brand} hesabınızda iki adımlı doğrulama kapatıldı`,
      heading: 'İki adımlı doğrulama kapatıldı',
      text: 'hesabınızda iki adımlı doğrulama az önce kapatıldı; artık yalnızca parola ile giriş yapılabilir.',
    }),
    app_added: (_detail, brand) => ({
      subject: `${brand} hesabınız için yeni doğrulama uygulaması`,
      heading: 'Yeni doğrulama uygulaması',
      text: 'hesabınıza az önce bir doğrulama uygulaması eklendi ve diğer oturumlarınız kapatıldı. Geçiş anahtarlarınız kalıyor, kurtarma kodları ise yeni.',
    }),
    app_removed: (_detail, brand) => ({
      subject: `${brand} hesabınızdan doğrulama uygulaması kaldırıldı`,
      heading: 'Doğrulama uygulaması kaldırıldı',
      text: 'doğrulama uygulaması az önce hesabınızdan kaldırıldı. İki adımlı doğrulama, geçiş anahtarlarınızla açık kalıyor.',
    }),
    token_created: (detail, brand) => ({
      subject: `${brand} hesabınız için yeni erişim anahtarı`,
      heading: 'Yeni erişim anahtarı',
      text: `hesabınızda az önce “${detail}” adlı erişim anahtarı oluşturuldu. Yazılımlar bununla sizin adınıza işlem yapabilir.`,
    }),
    new_sign_in: (detail, brand) => ({
      subject: `${brand} hesabınızda yeni oturum`,
      heading: 'Yeni bir giriş yapıldı',
      text: `hesabınıza az önce yeni bir tarayıcıyla giriş yapıldı: ${detail}.`,
    }),
    recovery_code_used: (detail, brand) => ({
      subject: `${brand} hesabınızda bir kurtarma kodu kullanıldı`,
      heading: 'Bir kurtarma kodu kullanıldı',
      text: `hesabınıza az önce bir kurtarma koduyla giriş yapıldı. Kalan kod sayısı: ${detail}.`,
    }),
    recovery_codes_new: (_detail, brand) => ({
      subject: `${brand} hesabınız için yeni kurtarma kodları`,
      heading: 'Yeni kurtarma kodları',
      text: 'hesabınız için az önce yeni kurtarma kodları oluşturuldu. Eski kodlar artık geçersiz.',
    }),
    passkey_added: (detail, brand) => ({
      subject: `${brand} hesabınız için yeni geçiş anahtarı`,
      heading: 'Yeni geçiş anahtarı',
      text: `hesabınıza az önce “${detail}” adlı geçiş anahtarı eklendi. Bu anahtarla giriş yapılabilir.`,
    }),
    passkey_renamed: (detail, brand) => ({
      subject: `${brand} hesabınızdaki bir geçiş anahtarının adı değişti`,
      heading: 'Bir geçiş anahtarının adı değişti',
      text: `hesabınızdaki bir geçiş anahtarının adı az önce değiştirildi: ${detail}.`,
    }),
    passkey_removed: (detail, brand) => ({
      subject: `${brand} hesabınızdan bir geçiş anahtarı kaldırıldı`,
      heading: 'Bir geçiş anahtarı kaldırıldı',
      text: `“${detail}” adlı geçiş anahtarı az önce hesabınızdan kaldırıldı; artık bu anahtarla giriş yapılamaz.`,
    }),
    passkey_refused: (detail, brand) => ({
      subject: `${brand} hesabınızda bir giriş denemesi reddedildi`,
      heading: 'Bir geçiş anahtarı kopyalanmış olabilir',
      text: `“${detail}” adlı geçiş anahtarıyla giriş denemesi az önce reddedildi, çünkü anahtarın bir kopyası kullanılmış görünüyor. Emin değilseniz onu hesabınızdan kaldırın.`,
    }),
    provider_linked: (detail, brand) => ({
      subject: `${brand} hesabınıza artık ${detail} ile giriş yapılabilir`,
      heading: 'Yeni bir giriş yolu',
      text: `hesabınız az önce ${detail} üzerindeki hesabınıza bağlandı; artık onunla giriş yapılabilir.`,
    }),
  },
};
