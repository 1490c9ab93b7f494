import { languageName } from '@portico/contract/portal-languages.ts';
import { useTranslation } from 'react-i18next';
import { weekdayName } from '#features/portals/items/weekdays.ts';
import { formatNumber } from '#lib/format.ts';

/** Where the editor has the words for the values of a style. */
const styleWords: Readonly<Record<string, string>> = {
  color_scheme: '',
  provider_layout: '',
  color_type: '',
  background_type: 'backgroundType.',
  background_art: 'template.',
  layout: 'layout.',
  button_shape: 'shape.',
  dark_mode: 'darkMode.',
};
const blockWords: Readonly<Record<string, string>> = { kind: 'kind.', shape: 'shapes.' };
const switches: Readonly<Record<string, string>> = {
  true: 'yes',
  false: 'no',
  active: 'yes',
  passive: 'no',
  // Values of the option to remember guests.
  cookie: 'yes',
  mac: 'yes',
  off: 'no',
};

/** The name of a bundled font, such as `Space Grotesk`. */
const fontName = (font: string) =>
  font.replace(/(^|-)(\w)/g, (_, before, letter: string) => (before ? ' ' : '') + letter.toUpperCase());

function listIn(text: string): unknown[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** The value of a field in the words of the editor, such as `Colour over picture` for `color_image`. */
export function useValueWords(): (path: string, text: string) => string {
  const { i18n } = useTranslation(['portal-editor', 'portal-blocks', 'common']);
  const named = (space: string, name: string, fallback: string) => {
    const words: unknown = i18n.getResource(i18n.language, space, name);
    return typeof words === 'string' ? words : fallback;
  };
  const itemWords = (path: string, item: unknown): string => {
    if (path.endsWith('.weekdays')) return weekdayName(Number(item));
    if (typeof item === 'string') return languageName(item);
    const { name = '', kind = '', url = '' } = item as { name?: string; kind?: string; url?: string };
    return path === 'page.links' ? `${named('portal-editor', `link.${kind}`, kind)} ${url}` : name;
  };
  return (path, text) => {
    const [part, key = '', , field = ''] = path.split('.');
    if (part === 'providers' && ['method', 'provider_type', 'citizen_id_field'].includes(field)) {
      const words = field === 'provider_type' ? 'citizenType' : key === 'room-number' ? 'roomMethod' : 'citizenMethod';
      return named('portal-editor', `${words}.${text}`, text);
    }
    const list = listIn(text);
    if (list?.length === 0) return '';
    if (list)
      return (
        list
          .map(it => itemWords(path, it))
          .filter(Boolean)
          .join(', ') || formatNumber(list.length)
      );
    if (part === 'providers' || key === 'logo_type') {
      const answer = switches[text];
      return answer ? named('common', answer, text) : text;
    }
    if (key.endsWith('_font')) return text === 'system' ? named('portal-editor', 'systemFont', text) : fontName(text);
    const style = part === 'styles' ? styleWords[key] : undefined;
    if (style !== undefined) return named('portal-editor', style + text, text);
    const block = key.endsWith('_blocks') ? blockWords[field] : undefined;
    return block === undefined ? text : named('portal-blocks', block + text, text);
  };
}
