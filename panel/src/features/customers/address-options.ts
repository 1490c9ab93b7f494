import { useQuery } from '@tanstack/react-query';
import { language } from '#lib/language.ts';

/** The countries of ISO 3166-1. */
const codes =
  'AD AE AF AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KN KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PW PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VN VU WS XK YE ZA ZM ZW';

/** Country names in the interface language, in alphabetical order. */
export function countries(): string[] {
  const names = new Intl.DisplayNames(language(), { type: 'region' });
  return codes
    .split(' ')
    .map(code => names.of(code) ?? code)
    .sort((a, b) => a.localeCompare(b, language()));
}

/** Whether a country is Türkiye, in any spelling. Only its cities are suggested. */
export const isTurkiye = (country: string): boolean => /^t[uü]rk(iye|ey)$/i.test(country.trim());

/** The cities of Türkiye with their districts, loaded on first use. */
export function useTurkishPlaces(wanted: boolean): readonly { city: string; districts: readonly string[] }[] {
  const { data } = useQuery({
    queryKey: ['turkish-places'],
    queryFn: async () => (await import('#features/customers/turkish-places.ts')).turkishPlaces,
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return wanted && data ? data : [];
}
