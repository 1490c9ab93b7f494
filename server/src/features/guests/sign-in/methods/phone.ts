import { createRequire } from 'node:module';
import { portalLanguages } from '@portico/contract/portal-languages.ts';
import type { CountryCode } from 'libphonenumber-js/mobile';
import { latinDigits } from './typed.ts';

type Library = typeof import('libphonenumber-js/mobile');
const require = createRequire(import.meta.url);
/** Loaded when the first number comes: its hundred modules would delay each start. */
const library = (): Library => require('libphonenumber-js/mobile');

/** Where a phone number without a country code belongs: the country of the location. */
export interface Place {
  /** The country as its operator typed it: a name in any of our languages, or a code. */
  readonly country: string;
  readonly timeZone: string;
}

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');

interface Names {
  readonly byName: ReadonlyMap<string, CountryCode>;
  readonly byTimeZone: ReadonlyMap<string, CountryCode>;
}
let names: Names | undefined;

/** The names and time zones of all countries; made at first use, as that takes some milliseconds. */
function namesOfCountries(): Names {
  if (names) return names;
  const byName = new Map<string, CountryCode>();
  const byTimeZone = new Map<string, CountryCode>();
  const { isSupportedCountry } = library();
  const shown = portalLanguages.map(language => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }));
  for (let i = 0; i < 26 * 26; i++) {
    const code = String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26));
    if (!isSupportedCountry(code)) continue;
    for (const name of [code, ...shown.map(it => it.of(code))]) if (name) byName.set(plain(name), code);
    const zones = (
      new Intl.Locale(`und-${code}`) as Intl.Locale & { getTimeZones(): string[] | undefined }
    ).getTimeZones();
    for (const zone of zones ?? []) if (!byTimeZone.has(zone)) byTimeZone.set(zone, code);
  }
  byName.set('turkey', 'TR').set('usa', 'US').set('uk', 'GB').set('england', 'GB').set('uae', 'AE');
  names = { byName, byTimeZone };
  return names;
}

/** The country of a place: by its name, else by its time zone, else Türkiye. */
export function countryOf({ country, timeZone }: Place): CountryCode {
  const { byName, byTimeZone } = namesOfCountries();
  return byName.get(plain(country)) ?? byTimeZone.get(timeZone) ?? 'TR';
}

/**
 * A mobile number in E.164 (`+905321234567`), or undefined. Without a country code it is one of the place's country, in its
 * national form. With one, only the length is checked: new ranges of numbers are in use before the library knows them.
 */
export function phoneOf(text: string, place: Place): string | undefined {
  const typed = latinDigits(text)
    .trim()
    .replace(/^00(?=\d)/, '+');
  if (!/^\+?[\d\s().\-/]+$/.test(typed)) return undefined;
  const number = library().parsePhoneNumberFromString(typed, { defaultCountry: countryOf(place), extract: false });
  const isGood = typed.startsWith('+') ? number?.isPossible() : number?.isValid();
  return isGood ? number?.number : undefined;
}
