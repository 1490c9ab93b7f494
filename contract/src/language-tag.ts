import { z } from 'zod';

/** Language, script, region and one variant. Extensions and private use are left out: they change formats, not texts. */
const shape = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?(-([a-z0-9]{5,8}|\d[a-z0-9]{3}))?$/;

/** A canonical BCP 47 tag, such as `el`, `pt-BR` or `sr-Latn`. */
export const languageTag = z
  .string()
  .max(25)
  .regex(shape, 'language_tag')
  .refine(tag => isCanonical(tag), 'language_tag');

const known = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Canonical, and of a language that has a name. */
function isCanonical(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag && known.of(tag) !== undefined;
  } catch {
    return false;
  }
}
