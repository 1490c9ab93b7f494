import type { PerLanguage, PortalMessageKey } from './portal-messages.ts';
import type { PortalStyles } from './portal-styles.ts';

/** Designs to start from, with sample texts. A portal keeps no link to its template. Without zod, so that screens can use it. */

export const templateNames = ['hotel', 'cafe', 'hospital', 'airport', 'campus', 'event', 'minimal', 'festive'] as const;
export type TemplateName = (typeof templateNames)[number];

type Pictures = 'portal_logo' | 'dark_logo' | 'favicon' | 'background_image' | 'logo_type' | 'logo_scale';
type Design = Omit<PortalStyles, Pictures>;
type SampleTexts = Partial<Record<PortalMessageKey, PerLanguage>>;

interface Template {
  readonly styles: Partial<Design>;
  readonly messages: SampleTexts;
}

/** The values that a template does not name, so that nothing of an earlier design remains. */
const plain: Design = {
  color_scheme: 'light',
  primary_color: '#2f71f2',
  secondary_color: '#1b3a7a',
  form_background_color: '#ffffff',
  alert_color: '#b42318',
  warning_color: '#93370d',
  info_color: '#175cd3',
  success_color: '#067647',
  border_color: '#d5dae3',
  provider_layout: 'dropdown',
  logo_background_color: null,
  background_type: 'image',
  color_type: 'solid',
  background_color: '#2b2f36',
  welcome_message_text_color: '#14181f',
  welcome_font_size: 28,
  layout: 'card',
  background_art: null,
  background_focus_x: 50,
  background_focus_y: 50,
  title_font: 'figtree',
  text_font: 'figtree',
  corner_radius: 16,
  button_shape: 'rounded',
  dark_mode: 'off',
  theme_color: null,
};

const say = (tr: string, en: string, de: string, ru: string, ar: string): PerLanguage => ({ tr, en, de, ru, ar });

export const templates: Readonly<Record<TemplateName, Template>> = {
  hotel: {
    styles: {
      layout: 'split',
      background_art: 'hotel',
      background_color: '#17344f',
      form_background_color: '#fffdf9',
      primary_color: '#17445c',
      secondary_color: '#7d5f2e',
      border_color: '#d8cfc0',
      welcome_message_text_color: '#17344f',
      welcome_font_size: 34,
      title_font: 'playfair',
      corner_radius: 6,
      theme_color: '#0f2436',
    },
    messages: {
      welcome_message_title: say(
        'Otelimize hoş geldiniz',
        'Welcome to our hotel',
        'Willkommen in unserem Hotel',
        'Добро пожаловать в наш отель',
        'أهلاً بكم في فندقنا',
      ),
      subtitle: say(
        'Konaklamanız boyunca ücretsiz ve hızlı internet.',
        'Fast, free internet throughout your stay.',
        'Schnelles, kostenloses Internet während Ihres Aufenthalts.',
        'Быстрый бесплатный интернет на всё время проживания.',
        'إنترنت سريع ومجاني طوال إقامتكم.',
      ),
    },
  },
  cafe: {
    styles: {
      layout: 'banner',
      background_art: 'cafe',
      background_color: '#c8643c',
      background_focus_y: 42,
      form_background_color: '#fffaf3',
      primary_color: '#9f4527',
      secondary_color: '#8a5a2b',
      border_color: '#dcc7ac',
      welcome_message_text_color: '#472618',
      welcome_font_size: 32,
      title_font: 'fraunces',
      text_font: 'nunito',
      corner_radius: 22,
      button_shape: 'pill',
      theme_color: '#c8643c',
    },
    messages: {
      welcome_message_title: say(
        'Kahveniz hazır, internet bizden',
        'Your coffee is on. So is the Wi-Fi.',
        'Ihr Kaffee läuft. Das WLAN auch.',
        'Кофе готов. Wi‑Fi тоже.',
        'قهوتك جاهزة والإنترنت علينا',
      ),
      subtitle: say(
        'Arkanıza yaslanın ve bağlanın.',
        'Sit back and get online.',
        'Lehnen Sie sich zurück und gehen Sie online.',
        'Устраивайтесь поудобнее и подключайтесь.',
        'استرخِ واتصل بالإنترنت.',
      ),
      opening_hours: say(
        'Her gün 08.00–23.00',
        'Daily 8:00–23:00',
        'Täglich 8–23 Uhr',
        'Ежедневно 8:00–23:00',
        'يوميًا 8:00–23:00',
      ),
    },
  },
  hospital: {
    styles: {
      background_art: 'hospital',
      background_color: '#bfe3e0',
      background_focus_x: 70,
      primary_color: '#0f7277',
      secondary_color: '#2a7f7b',
      border_color: '#c3dedd',
      welcome_message_text_color: '#0f4c50',
      corner_radius: 18,
      theme_color: '#1f7f83',
    },
    messages: {
      welcome_message_title: say(
        'Geçmiş olsun',
        'We wish you well',
        'Gute Besserung',
        'Желаем вам здоровья',
        'نتمنى لكم الشفاء العاجل',
      ),
      subtitle: say(
        'Hastalarımız ve ziyaretçileri için ücretsiz internet.',
        'Free internet for patients and visitors.',
        'Kostenloses Internet für Patienten und Besucher.',
        'Бесплатный интернет для пациентов и посетителей.',
        'إنترنت مجاني للمرضى والزوار.',
      ),
      footer_text: say(
        'Acil durumlarda 112’yi arayın.',
        'In an emergency, call 112.',
        'Im Notfall: 112',
        'В экстренных случаях звоните 112.',
        'في حالات الطوارئ اتصل بالرقم 112.',
      ),
    },
  },
  airport: {
    styles: {
      layout: 'sheet',
      background_art: 'airport',
      background_color: '#0b1b3a',
      background_focus_x: 74,
      background_focus_y: 20,
      primary_color: '#1f3f86',
      secondary_color: '#b4430b',
      border_color: '#cbd5e6',
      provider_layout: 'scroll',
      welcome_message_text_color: '#0b1b3a',
      welcome_font_size: 30,
      title_font: 'space-grotesk',
      corner_radius: 26,
      button_shape: 'pill',
      theme_color: '#0b1b3a',
    },
    messages: {
      welcome_message_title: say(
        'İyi yolculuklar',
        'Have a good flight',
        'Guten Flug',
        'Приятного полёта',
        'رحلة سعيدة',
      ),
      subtitle: say(
        'Uçuşunuza kadar ücretsiz Wi-Fi.',
        'Free Wi-Fi until you board.',
        'Kostenloses WLAN bis zum Abflug.',
        'Бесплатный Wi‑Fi до посадки.',
        'واي فاي مجاني حتى موعد رحلتك.',
      ),
    },
  },
  campus: {
    styles: {
      layout: 'split',
      background_art: 'campus',
      background_color: '#ffe9b8',
      background_focus_y: 45,
      form_background_color: '#fffefb',
      primary_color: '#2f6f4f',
      secondary_color: '#9d3b2f',
      border_color: '#d5dcc8',
      welcome_message_text_color: '#1f4d36',
      welcome_font_size: 30,
      corner_radius: 14,
      theme_color: '#2f6f4f',
    },
    messages: {
      welcome_message_title: say(
        'Kampüse hoş geldiniz',
        'Welcome to campus',
        'Willkommen auf dem Campus',
        'Добро пожаловать в кампус',
        'أهلاً بكم في الحرم الجامعي',
      ),
      subtitle: say(
        'Öğrenciler, çalışanlar ve misafirler için.',
        'For students, staff and guests.',
        'Für Studierende, Mitarbeitende und Gäste.',
        'Для студентов, сотрудников и гостей.',
        'للطلاب والموظفين والزوار.',
      ),
    },
  },
  event: {
    styles: {
      color_scheme: 'dark',
      layout: 'sheet',
      background_art: 'event',
      background_color: '#160a2e',
      form_background_color: '#160a2e',
      primary_color: '#ff3d81',
      secondary_color: '#20c7d9',
      border_color: '#4a3a78',
      welcome_message_text_color: '#ffffff',
      welcome_font_size: 36,
      alert_color: '#ff8a80',
      warning_color: '#ffb45e',
      info_color: '#7cb8ff',
      success_color: '#5fd6a1',
      title_font: 'space-grotesk',
      text_font: 'space-grotesk',
      corner_radius: 0,
      button_shape: 'square',
      theme_color: '#160a2e',
    },
    messages: {
      welcome_message_title: say('Sahne sizin', 'You’re in', 'Du bist dabei', 'Вы в деле', 'أنت معنا'),
      subtitle: say(
        'Bağlanın, paylaşın, anı kaçırmayın.',
        'Get online, share, miss nothing.',
        'Online gehen, teilen, nichts verpassen.',
        'Подключайтесь, делитесь, ничего не упустите.',
        'اتصل وشارك ولا تفوّت شيئًا.',
      ),
    },
  },
  minimal: {
    styles: {
      background_type: 'color',
      background_color: '#f0efea',
      primary_color: '#171717',
      secondary_color: '#57534e',
      border_color: '#d9d7d0',
      welcome_message_text_color: '#111111',
      welcome_font_size: 30,
      title_font: 'space-grotesk',
      text_font: 'system',
      corner_radius: 0,
      button_shape: 'square',
      dark_mode: 'device',
      theme_color: '#f0efea',
    },
    messages: {
      welcome_message_title: say('Wi-Fi', 'Wi-Fi', 'WLAN', 'Wi-Fi', 'واي فاي'),
      subtitle: say(
        'Tek adımda bağlanın.',
        'One step to get online.',
        'In einem Schritt online.',
        'Один шаг — и вы онлайн.',
        'خطوة واحدة للاتصال.',
      ),
    },
  },
  festive: {
    styles: {
      background_art: 'festive',
      background_color: '#0c1f2c',
      background_focus_y: 30,
      form_background_color: '#fffaf0',
      primary_color: '#a3231b',
      secondary_color: '#1f6b52',
      border_color: '#e3d6bb',
      welcome_message_text_color: '#133c33',
      welcome_font_size: 32,
      title_font: 'playfair',
      text_font: 'nunito',
      corner_radius: 24,
      button_shape: 'pill',
      theme_color: '#0c1f2c',
    },
    messages: {
      welcome_message_title: say(
        'Mutlu yıllar',
        'Happy holidays',
        'Frohe Festtage',
        'С праздником',
        'كل عام وأنتم بخير',
      ),
      subtitle: say(
        'Bu güzel günleri bizimle geçirdiğiniz için teşekkürler.',
        'Thank you for spending these days with us.',
        'Danke, dass Sie diese Tage mit uns verbringen.',
        'Спасибо, что проводите эти дни с нами.',
        'شكرًا لقضاء هذه الأيام معنا.',
      ),
    },
  },
};

/** Every style that a template sets. The logo and the pictures of the portal stay. */
export const templateStyles = (name: TemplateName): Design => ({ ...plain, ...templates[name].styles });
