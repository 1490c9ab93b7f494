import { defineConfig } from 'vitepress';
import { foldedSearch } from './fold.ts';
import { brands, searchedGuide } from './guides.ts';

/** The pages in reading order, by group. Each is a Markdown file here and in tr/. */
const groups: { en: string; tr: string; pages: string[] }[] = [
  { en: 'Begin', tr: 'Başlangıç', pages: ['first-router', ...brands().map(brand => brand.slug)] },
  { en: 'Every day', tr: 'Her gün', pages: ['front-desk', 'visitors', 'import', 'vouchers', 'paid-access', 'sessions', 'profiles', 'reports'] },
  { en: 'Set up', tr: 'Kurulum', pages: ['locations', 'devices', 'portals', 'team', 'single-sign-on', 'integrations', 'qr-menu'] },
  { en: 'The law', tr: 'Yasal kayıt', pages: ['legal-record', 'privacy'] },
  { en: 'Resellers', tr: 'Bayiler', pages: ['customers', 'licences'] },
  { en: 'Help', tr: 'Yardım', pages: ['account', 'troubleshooting', 'glossary'] },
];

const titles: Record<string, { en: string; tr: string }> = {
  'first-router': { en: 'The first router', tr: 'İlk yönlendirici' },
  ...Object.fromEntries(brands().map(({ slug, en, tr }) => [slug, { en, tr }])),
  'front-desk': { en: 'At the front desk', tr: 'Resepsiyonda' },
  visitors: { en: 'Visitors', tr: 'Ziyaretçiler' },
  import: { en: 'Moving from another program', tr: 'Başka bir programdan geçiş' },
  vouchers: { en: 'Vouchers', tr: 'Kuponlar' },
  'paid-access': { en: 'Paid access', tr: 'Ücretli erişim' },
  sessions: { en: 'Sessions', tr: 'Oturumlar' },
  profiles: { en: 'Session profiles', tr: 'Oturum profilleri' },
  reports: { en: 'Dashboard and reports', tr: 'Genel bakış ve raporlar' },
  locations: { en: 'Locations', tr: 'Lokasyonlar' },
  devices: { en: 'Devices', tr: 'Cihazlar' },
  portals: { en: 'Portals', tr: 'Portallar' },
  team: { en: 'Administrators and roles', tr: 'Yöneticiler ve roller' },
  'single-sign-on': { en: 'Single sign-on', tr: 'Tek oturum açma' },
  integrations: { en: 'Integrations', tr: 'Entegrasyonlar' },
  'qr-menu': { en: 'QR menu', tr: 'QR menü' },
  'legal-record': { en: 'The legal record', tr: 'Yasal kayıt' },
  privacy: { en: 'Personal data', tr: 'Kişisel veriler' },
  customers: { en: 'Customers', tr: 'Müşteriler' },
  licences: { en: 'Licences', tr: 'Lisanslar' },
  account: { en: 'Your account', tr: 'Hesabınız' },
  troubleshooting: { en: 'If something does not work', tr: 'Bir şey çalışmıyorsa' },
  glossary: { en: 'Glossary', tr: 'Sözlük' },
};

const sidebar = (language: 'en' | 'tr') =>
  groups.map(group => ({
    text: group[language],
    items: group.pages.map(page => ({
      text: titles[page]?.[language] ?? page,
      link: `${language === 'tr' ? '/tr' : ''}/${page}`,
    })),
  }));

/** Options of the search. VitePress would write enumerable functions as texts, for which pages need `unsafe-eval`. */
const searchOptions = Object.defineProperty(
  {
    locales: {
      tr: {
        translations: {
          button: { buttonText: 'Ara', buttonAriaLabel: 'Ara' },
          modal: {
            displayDetails: 'Ayrıntıları göster',
            resetButtonTitle: 'Aramayı temizle',
            backButtonTitle: 'Aramayı kapat',
            noResultsText: 'Sonuç yok:',
            footer: { selectText: 'seç', navigateText: 'gez', closeText: 'kapat' },
          },
        },
      },
    },
  },
  'miniSearch',
  { value: { ...foldedSearch, _splitIntoSections: searchedGuide } },
);

export default defineConfig({
  base: '/help/',
  outDir: './dist',
  title: 'Portico',
  description: 'The manual of Portico, the system for guest Wi-Fi',
  cleanUrls: true,
  // The content security policy allows no style attributes, which a highlighter writes.
  markdown: {
    // The picture of the other colour scheme is not loaded.
    image: { lazyLoading: true },
    highlight: text => `<pre><code>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</code></pre>`,
  },
  themeConfig: {
    search: { provider: 'local', options: searchOptions },
    outline: { level: 2, label: 'On this page' },
  },
  locales: {
    root: { label: 'English', lang: 'en', themeConfig: { sidebar: sidebar('en') } },
    tr: {
      label: 'Türkçe',
      lang: 'tr',
      description: 'Misafir Wi-Fi sistemi Portico’nun kılavuzu',
      themeConfig: {
        sidebar: sidebar('tr'),
        outline: { level: 2, label: 'Bu sayfada' },
        docFooter: { prev: 'Önceki', next: 'Sonraki' },
        darkModeSwitchLabel: 'Görünüm',
        lightModeSwitchTitle: 'Açık görünüme geç',
        darkModeSwitchTitle: 'Koyu görünüme geç',
        sidebarMenuLabel: 'İçindekiler',
        returnToTopLabel: 'Yukarı çık',
        langMenuLabel: 'Dili değiştir',
        skipToContentLabel: 'İçeriğe geç',
      },
    },
  },
});
