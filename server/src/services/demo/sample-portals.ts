import type { AdvertisementForm } from '@portico/contract/advertisements.ts';
import { always } from '@portico/contract/block-kinds.ts';
import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { PortalLink, PortalPageForm } from '@portico/contract/portal-page.ts';
import type { TemplateName } from '@portico/contract/portal-templates.ts';
import { scaleAnswers } from '@portico/contract/survey-scale.ts';
import type { SurveyForm } from '@portico/contract/surveys.ts';
import { drawings } from './drawings.ts';

/** The portals of the demo's venues. The letters of the logos are drawn, so that no font is needed. */

type Blocks = NonNullable<PortalPageForm['connected_blocks']>;

export interface SamplePortal {
  readonly template: TemplateName;
  readonly logo: string;
  readonly icon: string;
  readonly messages: Record<string, PerLanguage>;
  readonly links: readonly PortalLink[];
  readonly agreements: {
    readonly kvkk: PerLanguage;
    readonly general: PerLanguage;
    readonly marketing_email?: PerLanguage;
  };
  /** The sign-in methods in their order; without it those of the location in the usual order. */
  readonly methods?: readonly ('email' | 'username' | 'voucher')[];
  /** Shown to guests who are online. */
  readonly blocks: Blocks;
  readonly offers: readonly (Pick<AdvertisementForm, 'name'> &
    Partial<Pick<AdvertisementForm, 'link' | 'weight' | 'daily_cap' | 'weekdays'>> & { readonly drawing: string })[];
  readonly survey: SurveyForm;
}

const faces = (['very-bad', 'bad', 'neutral', 'good', 'very-good'] as const).map(emoji => ({ label: {}, emoji }));
/** In the languages that a portal offers without a choice of its owner. */
const say = (tr: string, en: string, de: string, ru: string, ar: string): PerLanguage => ({ tr, en, de, ru, ar });
const asked = (...texts: Parameters<typeof say>): SurveyForm['questions'][number] => ({
  label: say(...texts),
  answer_type: 'emoji',
  type: 'single',
  answers: faces,
});
const recommended: SurveyForm['questions'][number] = {
  label: say(
    'Bizi bir arkadaşınıza önerir misiniz? (0: asla, 10: kesinlikle)',
    'Would you recommend us to a friend? (0: never, 10: certainly)',
    'Würden Sie uns weiterempfehlen? (0: nie, 10: sicher)',
    'Порекомендуете ли вы нас друзьям? (0: никогда, 10: обязательно)',
    'هل توصون بنا صديقًا؟ (0: أبدًا، 10: بالتأكيد)',
  ),
  answer_type: 'text',
  type: 'single',
  answers: scaleAnswers(['tr', 'en', 'de', 'ru', 'ar']),
};
const wanted: SurveyForm['questions'][number] = {
  label: say(
    'Neyi daha iyi yapabiliriz?',
    'What could we do better?',
    'Was können wir besser machen?',
    'Что мы можем улучшить?',
    'ما الذي يمكننا تحسينه؟',
  ),
  answer_type: 'text',
  type: 'single',
  answers: [],
};

const text = (...texts: Parameters<typeof say>): Blocks[number] => ({ kind: 'text', ...always, texts: say(...texts) });
const button = (url: string, ...texts: Parameters<typeof say>): Blocks[number] => ({
  kind: 'button',
  ...always,
  label: say(...texts),
  url,
});
const menu = (...texts: Parameters<typeof say>): Blocks[number] => ({ kind: 'menu', ...always, label: say(...texts) });
const advertisement: Blocks[number] = { kind: 'advertisement', ...always };

const agreements = (place: string): SamplePortal['agreements'] => ({
  kvkk: {
    tr: `<h3>Aydınlatma metni</h3><p>${place}, 5651 sayılı Kanun gereği bağlantı kayıtlarınızı saklar. Verileriniz pazarlama için kullanılmaz.</p>`,
    en: `<h3>Privacy notice</h3><p>${place} keeps the record of connections that the law requires. Your data is not used for marketing.</p>`,
    de: `<h3>Datenschutzhinweis</h3><p>${place} speichert die Verbindungsdaten, die das Gesetz verlangt. Ihre Daten werden nicht für Werbung verwendet.</p>`,
    ru: `<h3>Обработка персональных данных</h3><p>${place} хранит записи о подключениях, как требует закон. Ваши данные не используются для рекламы.</p>`,
    ar: `<h3>إشعار الخصوصية</h3><p>يحتفظ ${place} بسجل الاتصالات الذي يفرضه القانون. لا تُستخدم بياناتكم لأغراض التسويق.</p>`,
  },
  general: {
    tr: `<h3>Kullanım koşulları</h3><p>Ağı yasalara uygun ve diğer misafirlere saygılı biçimde kullanın.</p>`,
    en: `<h3>Terms of use</h3><p>Use the network lawfully and with respect for other guests.</p>`,
    de: `<h3>Nutzungsbedingungen</h3><p>Nutzen Sie das Netz im Rahmen der Gesetze und mit Rücksicht auf andere Gäste.</p>`,
    ru: `<h3>Условия использования</h3><p>Пользуйтесь сетью в рамках закона и с уважением к другим гостям.</p>`,
    ar: `<h3>شروط الاستخدام</h3><p>استخدموا الشبكة وفق القانون وباحترام الضيوف الآخرين.</p>`,
  },
});

export const samplePortals = {
  'Mavi Koy': {
    template: 'hotel',
    logo: drawings.hotelLogo,
    icon: drawings.hotelIcon,
    messages: {
      welcome_message_title: {
        tr: 'Otel Mavi Koy’a hoş geldiniz',
        en: 'Welcome to Otel Mavi Koy',
        de: 'Willkommen im Otel Mavi Koy',
        ru: 'Добро пожаловать в Otel Mavi Koy',
        ar: 'أهلاً بكم في أوتيل مافي كوي',
      },
      opening_hours: {
        tr: 'Resepsiyon: 24 saat · Kahvaltı: 07.30–10.30',
        en: 'Reception: 24 hours · Breakfast: 7:30–10:30',
        de: 'Rezeption: 24 Stunden · Frühstück: 7:30–10:30',
        ru: 'Ресепшен: круглосуточно · Завтрак: 7:30–10:30',
        ar: 'الاستقبال: 24 ساعة · الإفطار: 7:30–10:30',
      },
    },
    links: [
      { kind: 'website', url: 'https://mavikoy.example/' },
      { kind: 'instagram', url: 'https://www.instagram.com/mavikoy.example' },
    ],
    agreements: agreements('Otel Mavi Koy'),
    blocks: [
      text(
        '<h3>Bugün plajda</h3><p>Plaj kulübü 10.00–19.00 arası açık. Havlu ve şemsiye misafirlerimize ücretsiz.</p>',
        '<h3>Today at the beach</h3><p>The beach club is open from 10:00 to 19:00. Towels and sunshades are free for our guests.</p>',
        '<h3>Heute am Strand</h3><p>Der Beach Club ist von 10 bis 19 Uhr geöffnet. Handtücher und Schirme sind für unsere Gäste kostenlos.</p>',
        '<h3>Сегодня на пляже</h3><p>Пляжный клуб открыт с 10:00 до 19:00. Полотенца и зонты для гостей бесплатны.</p>',
        '<h3>اليوم على الشاطئ</h3><p>نادي الشاطئ مفتوح من 10:00 إلى 19:00. المناشف والمظلات مجانية لضيوفنا.</p>',
      ),
      advertisement,
      menu('Odaya servis menüsü', 'Room service', 'Zimmerservice', 'Обслуживание в номере', 'خدمة الغرف'),
      button(
        'https://mavikoy.example/spa',
        'Spa için yer ayırtın',
        'Book the spa',
        'Spa buchen',
        'Записаться в спа',
        'احجز السبا',
      ),
    ],
    offers: [
      {
        name: 'Plaj kulübü',
        drawing: drawings.hotelOffer,
        link: 'https://mavikoy.example/beach',
        weight: 3,
      },
      { name: 'Spa', drawing: drawings.hotelSpa, link: 'https://mavikoy.example/spa', daily_cap: 5 },
    ],
    survey: {
      name: 'Konaklama',
      questions: [
        asked(
          'Odanızdan memnun musunuz?',
          'How do you like your room?',
          'Wie gefällt Ihnen Ihr Zimmer?',
          'Нравится ли вам номер?',
          'هل أعجبتكم غرفتكم؟',
        ),
        recommended,
        wanted,
      ],
    },
  },
  'Kafe Çınar': {
    template: 'cafe',
    logo: drawings.cafeLogo,
    icon: drawings.cafeIcon,
    messages: {},
    blocks: [
      menu('Menüye bakın', 'See the menu', 'Zur Speisekarte', 'Посмотреть меню', 'شاهدوا القائمة'),
      advertisement,
      text(
        '<p>Her salı akşamı 20.00’de <b>canlı caz</b>. Masanızı tezgâhta ayırtın.</p>',
        '<p><b>Live jazz</b> every Tuesday at 8 pm. Reserve your table at the counter.</p>',
        '<p><b>Live-Jazz</b> jeden Dienstag um 20 Uhr. Reservieren Sie Ihren Tisch an der Theke.</p>',
        '<p><b>Живой джаз</b> каждый вторник в 20:00. Столик можно заказать у стойки.</p>',
        '<p><b>جاز حي</b> كل ثلاثاء الساعة 8 مساءً. احجزوا طاولتكم عند المنضدة.</p>',
      ),
      button(
        'https://maps.example/kafe-cinar/review',
        'Bizi değerlendirin',
        'Write a review',
        'Bewertung schreiben',
        'Оставить отзыв',
        'اكتبوا تقييمًا',
      ),
    ],
    links: [
      { kind: 'instagram', url: 'https://www.instagram.com/kafecinar.example' },
      { kind: 'map', url: 'https://maps.example/kafe-cinar' },
    ],
    methods: ['email', 'voucher', 'username'],
    agreements: {
      ...agreements('Kafe Çınar'),
      kvkk: {
        tr: '<h3>Aydınlatma metni</h3><p>Kafe Çınar, 5651 sayılı Kanun gereği bağlantı kayıtlarınızı saklar. Haber ve kampanyaları yalnızca izin verdiyseniz gönderir; izninizi dilediğiniz zaman “Verilerim” sayfasından geri alabilirsiniz.</p>',
        en: '<h3>Privacy notice</h3><p>Kafe Çınar keeps the record of connections that the law requires. It sends news and offers only if you allow that; you can withdraw at any time under “My data”.</p>',
        de: '<h3>Datenschutzhinweis</h3><p>Kafe Çınar speichert die Verbindungsdaten, die das Gesetz verlangt. Neuigkeiten und Angebote erhalten Sie nur, wenn Sie das erlauben; unter „Meine Daten“ können Sie es jederzeit widerrufen.</p>',
        ru: '<h3>Обработка персональных данных</h3><p>Kafe Çınar хранит записи о подключениях, как требует закон. Новости и предложения приходят только с вашего согласия; его можно отозвать в любое время на странице «Мои данные».</p>',
        ar: '<h3>إشعار الخصوصية</h3><p>يحتفظ Kafe Çınar بسجل الاتصالات الذي يفرضه القانون. لا نرسل الأخبار والعروض إلا إذا سمحتم بذلك، ويمكنكم سحب الموافقة في أي وقت من صفحة «بياناتي».</p>',
      },
      marketing_email: say(
        'Kafe Çınar’ın haber ve kampanyalarını e-postayla almak istiyorum.',
        'Send me news and offers of Kafe Çınar by e-mail.',
        'Kafe Çınar darf mir Neuigkeiten und Angebote per E-Mail senden.',
        'Я хочу получать новости и предложения Kafe Çınar по электронной почте.',
        'أود تلقي أخبار وعروض Kafe Çınar بالبريد الإلكتروني.',
      ),
    },
    offers: [
      { name: 'Günün pastası', drawing: drawings.cafeOffer, link: 'https://kafecinar.example/cake' },
      { name: 'Hafta sonu kahvaltısı', drawing: drawings.cafeBreakfast, weekdays: [6, 7], weight: 2 },
    ],
    survey: {
      name: 'Kahve',
      questions: [
        asked('Kahveniz nasıldı?', 'How was your coffee?', 'Wie war Ihr Kaffee?', 'Как вам кофе?', 'كيف كانت قهوتكم؟'),
        wanted,
      ],
    },
  },
  'Şehir Hastanesi': {
    template: 'hospital',
    logo: drawings.hospitalLogo,
    icon: drawings.hospitalIcon,
    messages: {
      opening_hours: say(
        'Ziyaret: 13.00–14.00 ve 18.00–19.00',
        'Visits: 13:00–14:00 and 18:00–19:00',
        'Besuche: 13–14 Uhr und 18–19 Uhr',
        'Посещения: 13:00–14:00 и 18:00–19:00',
        'الزيارة: 13:00–14:00 و18:00–19:00',
      ),
    },
    blocks: [
      button(
        'https://sehirhastanesi.example/plan',
        'Kat planı',
        'Find your way',
        'Wegweiser',
        'План этажей',
        'مخطط الطوابق',
      ),
      menu('Kafeteryanın menüsü', 'Cafeteria menu', 'Speisekarte der Cafeteria', 'Меню кафетерия', 'قائمة الكافتيريا'),
      advertisement,
    ],
    links: [{ kind: 'website', url: 'https://sehirhastanesi.example/' }],
    agreements: agreements('Şehir Hastanesi'),
    offers: [{ name: 'Check-up', drawing: drawings.hospitalOffer, link: 'https://sehirhastanesi.example/checkup' }],
    survey: {
      name: 'Ziyaret',
      questions: [
        asked(
          'Yönlendirmeler anlaşılır mıydı?',
          'Was it easy to find your way?',
          'Haben Sie sich gut zurechtgefunden?',
          'Легко ли было найти дорогу?',
          'هل كان من السهل إيجاد طريقكم؟',
        ),
        wanted,
      ],
    },
  },
} as const satisfies Record<string, SamplePortal>;
