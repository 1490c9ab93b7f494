import type { ConsentState, MarketingChannel } from '@portico/contract/consent-kinds.ts';
import type { MarketingConsent } from '@portico/contract/consents.ts';
import type { Language } from '@portico/contract/errors.ts';

/** The words of the files about consents. */
type Words<K extends string> = Readonly<Record<Language, Readonly<Record<K, string>>>>;

export const channelNames: Words<MarketingChannel> = {
  en: { email: 'E-mail', sms: 'SMS', call: 'Phone call' },
  tr: { email: 'E-posta', sms: 'SMS', call: 'Telefon araması' },
};
export const stateNames: Words<ConsentState> = {
  en: { given: 'Given', withdrawn: 'Withdrawn' },
  tr: { given: 'Verildi', withdrawn: 'Geri alındı' },
};
export const sourceNames: Words<MarketingConsent['source']> = {
  en: { 'sign-in': 'Sign-in page', 'own-data': 'Own-data page' },
  tr: { 'sign-in': 'Giriş sayfası', 'own-data': 'Verilerim sayfası' },
};
export const enderNames: Words<NonNullable<MarketingConsent['withdrawn_by']>> = {
  en: {
    guest: 'Guest',
    staff: 'Administrator',
    erasure: 'Erasure',
    renewal: 'Newer consent',
    address: 'Changed address',
  },
  tr: { guest: 'Misafir', staff: 'Yönetici', erasure: 'Silme', renewal: 'Yeni izin', address: 'Adres değişikliği' },
};
/** Whether the guest has proven that the address is its own. */
export const provenNames: Words<'yes' | 'no'> = { en: { yes: 'Yes', no: 'No' }, tr: { yes: 'Evet', no: 'Hayır' } };
export const consentHeaders: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Channel',
    'Recipient',
    'Address proven',
    'Visitor',
    'Location',
    'State',
    'Given',
    'Withdrawn',
    'Withdrawn by',
    'Given on',
    'Language',
    'Text',
    'Version',
  ],
  tr: [
    'Kanal',
    'Alıcı',
    'Adres doğrulandı',
    'Ziyaretçi',
    'Lokasyon',
    'Durum',
    'Verildi',
    'Geri alındı',
    'Geri alan',
    'Verildiği yer',
    'Dil',
    'Metin',
    'Sürüm',
  ],
};

/** The channels as İYS calls them. */
export const iysTypes: Readonly<Record<MarketingChannel, string>> = { email: 'EPOSTA', sms: 'MESAJ', call: 'ARAMA' };
