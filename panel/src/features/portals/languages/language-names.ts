import { languageName } from '@portico/contract/portal-languages.ts';
import { ownLanguageTag } from '@portico/contract/portal-page.ts';

/** Names that Chromium does not have. It would give them in the language of the browser. */
const names: Readonly<Record<string, string>> = {
  be: 'беларуская',
  ckb: 'کوردیی ناوەندی',
  cy: 'Cymraeg',
  eu: 'euskara',
  ga: 'Gaeilge',
  gl: 'galego',
  hy: 'հայերեն',
  is: 'íslenska',
  ka: 'ქართული',
  km: 'ខ្មែរ',
  ku: 'kurdî',
  ky: 'кыргызча',
  lo: 'ລາວ',
  mk: 'македонски',
  mn: 'монгол',
  mt: 'Malti',
  my: 'မြန်မာ',
  ne: 'नेपाली',
  ps: 'پښتو',
  si: 'සිංහල',
  so: 'Soomaali',
  sq: 'shqip',
  tg: 'тоҷикӣ',
  tk: 'türkmen dili',
  tt: 'татар',
  ug: 'ئۇيغۇرچە',
};

/** Languages that guests of hotels, airports and cafés often speak. Any other tag can be typed. */
export const suggested =
  'az be bg bn bs ca ckb cs da el et fi fil ga gl he hi hr hu hy id is ka kk ko ku ky lt lv mk mn ms mt nb nl pl pt pt-BR ro sk sl sq sr sv sw ta th tk ur uz vi zh-Hant'.split(
    ' ',
  );

/** The name of a language in itself, for guests who look for theirs; empty if the browser does not know it. */
export function ownNameOf(tag: string): string {
  if (!ownLanguageTag.safeParse(tag).success) return '';
  return names[tag] ?? (Intl.DisplayNames.supportedLocalesOf([tag]).length ? languageName(tag) : '');
}

/** Its name in the language of the reader, by which an owner looks for it. */
export const nameFor = (reader: string, tag: string): string =>
  new Intl.DisplayNames([reader], { type: 'language' }).of(tag) ?? tag;
