import type { Language } from './errors.ts';

/** The reasons why an integration fails. The message of the remote side follows after a colon. */
export const integrationProblems = {
  address_refused: {
    en: 'This address is not allowed',
    tr: 'Bu adrese bağlanmaya izin verilmiyor',
  },
  unknown_host: { en: 'There is no host with this name', tr: 'Bu adda bir sunucu yok' },
  unreachable: { en: 'The server cannot be reached', tr: 'Sunucuya ulaşılamıyor' },
  timed_out: { en: 'The server did not answer in time', tr: 'Sunucu zamanında yanıt vermedi' },
  login_refused: {
    en: 'The server refused the username or password',
    tr: 'Sunucu kullanıcı adını veya parolayı kabul etmedi',
  },
  no_rights: { en: 'This account may not do that', tr: 'Bu hesabın buna yetkisi yok' },
  no_database: {
    en: 'There is no such database, or this account may not use it',
    tr: 'Böyle bir veritabanı yok ya da bu hesabın onu kullanma yetkisi yok',
  },
  no_table: { en: 'There is no such table', tr: 'Böyle bir tablo yok' },
  not_there: {
    en: 'There is no such database, table or column',
    tr: 'Böyle bir veritabanı, tablo veya sütun yok',
  },
  not_safe: {
    en: 'The connection is not encrypted, or its certificate cannot be trusted',
    tr: 'Bağlantı şifreli değil ya da sertifikasına güvenilemiyor',
  },
  too_many_rows: {
    en: 'The table has more than 20,000 rows; use a view of the current guests',
    tr: 'Tabloda 20.000’den fazla satır var; yalnızca konaklayanları veren bir görünüm belirtin',
  },
  too_many_requests: {
    en: 'The other side asks for fewer requests',
    tr: 'Karşı taraf daha az istek gönderilmesini istiyor',
  },
  no_such_thing: {
    en: 'The other side does not know this hotel, service or tax code',
    tr: 'Karşı taraf bu oteli, hizmeti veya vergi kodunu tanımıyor',
  },
  refused: { en: 'The other side refused', tr: 'Karşı taraf kabul etmedi' },
  bad_answer: { en: 'The response is invalid', tr: 'Yanıt anlaşılamadı' },
  secret_unreadable: {
    en: 'The stored connection cannot be read because SECRET_KEY has changed: enter it again, with its password',
    tr: 'SECRET_KEY değiştiği için kayıtlı bağlantı okunamıyor: bağlantıyı parolasıyla birlikte yeniden girin',
  },
  other: { en: 'Something went wrong', tr: 'Bir sorun oluştu' },
} as const;
export type IntegrationProblem = keyof typeof integrationProblems;

/** Problems for which the message of the driver adds nothing. */
const withoutDetail: readonly IntegrationProblem[] = ['timed_out', 'secret_unreadable'];

/** The problem in words, followed by the message of the remote side. */
export function problemWords(code: IntegrationProblem, detail: string, language: Language): string {
  const words = integrationProblems[code][language];
  return detail && !withoutDetail.includes(code) ? `${words}: ${detail}` : words;
}
