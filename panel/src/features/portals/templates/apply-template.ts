import { isShipped } from '@portico/contract/portal-languages.ts';
import { defaultMessages, type PerLanguage } from '@portico/contract/portal-messages.ts';
import { type TemplateName, templateStyles, templates } from '@portico/contract/portal-templates.ts';
import type { GeneralValues } from '#features/portals/design/general-values.ts';

type TextKey = keyof GeneralValues['messages'];
const textKeys = [
  'welcome_message_title',
  'subtitle',
  'header_text',
  'footer_text',
  'opening_hours',
] as const satisfies readonly TextKey[];

const defaultOf = (key: TextKey, language: string): string =>
  isShipped(language) ? defaultMessages[key][language] : '';

/** A text that the operator wrote: neither empty, nor a default, nor a template's sample. */
function isOwn(key: TextKey, language: string, text: string | undefined): boolean {
  if (!text || text === defaultOf(key, language)) return false;
  return Object.values(templates).every(it => (it.messages[key] as PerLanguage | undefined)?.[language] !== text);
}

/** Whether the portal has texts of its own that a template could replace. */
export const hasOwnTexts = (messages: GeneralValues['messages']): boolean =>
  textKeys.some(key => Object.keys(messages[key]).some(language => isOwn(key, language, messages[key][language])));

interface Keep {
  readonly texts: boolean;
  readonly picture: boolean;
}

/** The values of a form with the design and the sample texts of a template. Logos stay. */
export function applyTemplate(
  { styles, messages }: Pick<GeneralValues, 'styles' | 'messages'>,
  name: TemplateName,
  keep: Keep,
): Pick<GeneralValues, 'styles' | 'messages'> {
  const design = templateStyles(name);
  const picture = keep.picture ? styles.background_image : null;
  // A template without a picture would hide the one that is kept.
  const background_type = picture && design.background_type === 'color' ? 'image' : design.background_type;
  const textsOf = (key: TextKey): PerLanguage => {
    const sample: PerLanguage = templates[name].messages[key] ?? {};
    const languages = [...new Set([...Object.keys(messages[key]), ...Object.keys(sample)])];
    return Object.fromEntries(
      languages.map(language => {
        const text = messages[key][language];
        const kept = text !== undefined && keep.texts && isOwn(key, language, text);
        return [language, kept ? text : (sample[language] ?? defaultOf(key, language))];
      }),
    );
  };
  return {
    styles: { ...styles, ...design, background_type, background_image: picture },
    messages: Object.fromEntries(textKeys.map(key => [key, textsOf(key)])) as GeneralValues['messages'],
  };
}
