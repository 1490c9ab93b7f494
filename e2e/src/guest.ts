import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test';
import type { GuestDevice } from '@portico/simulator/session.ts';
import { watchConsole } from './console.ts';
import { randomMac } from './venue.ts';

/** Texts of the guest portal in every language. */
export const guestWords = {
  en: {
    locale: 'en-GB',
    username: 'Username',
    password: 'Password',
    connect: 'Connect',
    online: 'You are connected',
    wrong: 'Wrong username or password',
    blocked: 'This device is blocked',
    timeLeft: 'Time left',
    logOut: 'Log out',
    loggedOut: 'You are logged out',
    oneMore: 'One more step',
    goOn: 'Continue',
  },
  tr: {
    locale: 'tr-TR',
    username: 'Kullanıcı adı',
    password: 'Parola',
    connect: 'Bağlan',
    online: 'Bağlandınız',
    wrong: 'Kullanıcı adı veya parola hatalı',
    blocked: 'Bu cihaz engellendi',
    timeLeft: 'Kalan süre',
    logOut: 'Oturumu kapat',
    loggedOut: 'Oturumunuz kapatıldı',
    oneMore: 'Bir adım kaldı',
    goOn: 'Devam',
  },
  de: {
    locale: 'de-DE',
    username: 'Benutzername',
    password: 'Passwort',
    connect: 'Verbinden',
    online: 'Sie sind verbunden',
    wrong: 'Benutzername oder Passwort ist falsch',
    blocked: 'Dieses Gerät ist gesperrt',
    timeLeft: 'Verbleibende Zeit',
    logOut: 'Abmelden',
    loggedOut: 'Sie sind abgemeldet',
    oneMore: 'Noch ein Schritt',
    goOn: 'Weiter',
  },
  ru: {
    locale: 'ru-RU',
    username: 'Имя пользователя',
    password: 'Пароль',
    connect: 'Подключиться',
    online: 'Вы подключены',
    wrong: 'Неверное имя пользователя или пароль',
    blocked: 'Это устройство заблокировано',
    timeLeft: 'Осталось времени',
    logOut: 'Выйти',
    loggedOut: 'Вы вышли',
    oneMore: 'Остался один шаг',
    goOn: 'Продолжить',
  },
  ar: {
    locale: 'ar-EG',
    username: 'اسم المستخدم',
    password: 'كلمة المرور',
    connect: 'اتصال',
    online: 'أنت متصل الآن',
    wrong: 'اسم المستخدم أو كلمة المرور غير صحيحة',
    blocked: 'هذا الجهاز محظور',
    timeLeft: 'الوقت المتبقي',
    logOut: 'تسجيل الخروج',
    loggedOut: 'تم تسجيل خروجك',
    oneMore: 'بقيت خطوة واحدة',
    goOn: 'متابعة',
  },
} as const;

export const languages = Object.keys(guestWords) as (keyof typeof guestWords)[];

/** A page of the simulated internet; the router answers every name. */
export const somePage = 'http://news.example.com/today';

export interface Guest {
  readonly page: Page;
  readonly device: GuestDevice;
  readonly words: (typeof guestWords)[keyof typeof guestWords];
  /** Opens a web page, like a phone after joining a network. */
  open(): Promise<void>;
  signIn(account: { username: string; password: string }): Promise<void>;
  expectOnline(): Promise<void>;
  close(): Promise<void>;
}

interface JoinOptions {
  readonly language?: keyof typeof guestWords;
  /** The browser's language, if it is another one. */
  readonly locale?: string;
  /** JavaScript; off in the sign-in windows of some phones. */
  readonly script?: boolean;
  readonly mac?: string;
  /** Its window and name; a phone of 390 pixels unless given. */
  readonly phone?: BrowserContextOptions;
  /** Console errors that are expected. */
  readonly complaint?: RegExp;
}

/** The functions of a router or firewall that a guest needs. */
interface Place {
  readonly hotspotUrl: string;
  readonly lease: (device: { readonly mac: string; readonly name?: string }) => GuestDevice;
  readonly session: (mac: string) => object | undefined;
}

/** A guest's phone in the network of a router, through which all its traffic passes. */
export async function joinNetwork(browser: Browser, router: Place, options: JoinOptions = {}): Promise<Guest> {
  const { language = 'tr', script = true, mac = randomMac(), complaint } = options;
  const words = guestWords[language];
  const device = router.lease({ mac, name: 'phone' });
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    ...options.phone,
    locale: options.locale ?? words.locale,
    javaScriptEnabled: script,
    proxy: { server: router.hotspotUrl, bypass: 'localhost' },
    // All browsers of this machine share one address; the router distinguishes them by this header.
    extraHTTPHeaders: { 'x-simulated-mac': mac },
  });
  const page = await context.newPage();
  const complaints = watchConsole(page);
  return {
    page,
    device,
    words,
    open: async () => void (await page.goto(somePage)),
    signIn: async ({ username, password }) => {
      await page.getByLabel(words.username).fill(username);
      await page.getByLabel(words.password, { exact: true }).fill(password);
      await page.getByRole('button', { name: words.connect }).click();
    },
    expectOnline: async () => {
      await expect(page.getByRole('heading', { name: words.online })).toBeVisible();
      expect(router.session(mac), 'the router’s session of the guest').toBeDefined();
    },
    close: async () => {
      await context.close();
      const wrong = complaints.filter(it => !complaint?.test(it));
      expect(wrong, 'errors in the guest’s console').toEqual([]);
    },
  };
}
