import type { Language } from '@portico/contract/errors.ts';
import { providerSlugs } from '@portico/contract/locations.ts';
import type { AuthProvider } from '@portico/contract/portal-providers.ts';

const methods: Record<AuthProvider['slug'], Record<Language, string> & Pick<AuthProvider, 'auth_type'>> = {
  'citizen-id': { en: 'Citizen ID', tr: 'T.C. kimlik numarası', auth_type: 'identity' },
  'room-number': { en: 'Room number', tr: 'Oda numarası', auth_type: 'hotel' },
  sms: { en: 'SMS code', tr: 'SMS kodu', auth_type: 'code' },
  username: { en: 'Username and password', tr: 'Kullanıcı adı ve parola', auth_type: 'account' },
  temp: { en: 'Free access', tr: 'Ücretsiz kullanım', auth_type: 'open' },
  email: { en: 'E-mail', tr: 'E-posta', auth_type: 'open' },
  voucher: { en: 'Voucher', tr: 'Kupon', auth_type: 'account' },
};

/** The sign-in methods as records, with names in a language. */
export const authProviders = (language: Language): AuthProvider[] =>
  providerSlugs.map(slug => ({
    id: slug,
    name: methods[slug][language],
    slug,
    logo: `/sign-in-methods/${slug}.svg`,
    auth_type: methods[slug].auth_type,
  }));
