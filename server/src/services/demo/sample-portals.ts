import type { PerLanguage } from '@portico/contract/portal-messages.ts';
import type { PortalLink } from '@portico/contract/portal-page.ts';
import type { TemplateName } from '@portico/contract/portal-templates.ts';
import type { SurveyForm } from '@portico/contract/surveys.ts';
import { drawings } from './drawings.ts';

/** The portals of the demo's venues. The letters of the logos are drawn, so that no font is needed. */

interface SamplePortal {
  readonly template: TemplateName;
  readonly logo: string;
  readonly icon: string;
  readonly messages: Record<string, PerLanguage>;
  readonly links: readonly PortalLink[];
  readonly agreements: { readonly kvkk: PerLanguage; readonly general: PerLanguage };
  readonly offer: { readonly name: string; readonly drawing: string };
  readonly survey: SurveyForm;
}

const faces = (['very-bad', 'bad', 'neutral', 'good', 'very-good'] as const).map(emoji => ({ label: {}, emoji }));
const asked = (tr: string, en: string): SurveyForm['questions'][number] => ({
  label: { tr, en },
  answer_type: 'emoji',
  type: 'single',
  answers: faces,
});
const wanted: SurveyForm['questions'][number] = {
  label: { tr: 'Neyi daha iyi yapabiliriz?', en: 'What could we do better?' },
  answer_type: 'text',
  type: 'single',
  answers: [],
};

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
    offer: { name: 'Beach club', drawing: drawings.hotelOffer },
    survey: {
      name: 'Stay',
      questions: [asked('Odanızdan memnun musunuz?', 'How do you like your room?'), wanted],
    },
  },
  'Kafe Çınar': {
    template: 'cafe',
    logo: drawings.cafeLogo,
    icon: drawings.cafeIcon,
    messages: {},
    links: [
      { kind: 'instagram', url: 'https://www.instagram.com/kafecinar.example' },
      { kind: 'map', url: 'https://maps.example/kafe-cinar' },
    ],
    agreements: agreements('Kafe Çınar'),
    offer: { name: 'Cake of the day', drawing: drawings.cafeOffer },
    survey: { name: 'Coffee', questions: [asked('Kahveniz nasıldı?', 'How was your coffee?'), wanted] },
  },
  'Şehir Hastanesi': {
    template: 'hospital',
    logo: drawings.hospitalLogo,
    icon: drawings.hospitalIcon,
    messages: {},
    links: [{ kind: 'website', url: 'https://sehirhastanesi.example/' }],
    agreements: agreements('Şehir Hastanesi'),
    offer: { name: 'Check-up', drawing: drawings.hospitalOffer },
    survey: {
      name: 'Visit',
      questions: [asked('Yönlendirmeler anlaşılır mıydı?', 'Was it easy to find your way?'), wanted],
    },
  },
} as const satisfies Record<string, SamplePortal>;
