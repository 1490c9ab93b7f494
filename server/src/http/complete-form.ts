import { limitsOf } from '@portico/contract/change.ts';
import type { Language } from '@portico/contract/errors.ts';
import { fieldErrors } from '@portico/contract/validation.ts';
import type { z } from 'zod';
import { FieldsError } from './mount.ts';

/**
 * A change as the form of something new: with the defaults of the form, or a 422 that names what is missing. `path`: the fields
 * of the body that lead to the form.
 */
export function completeForm<S extends z.ZodType>(
  form: S,
  change: object,
  language: Language,
  path: readonly string[] = [],
): z.output<S> {
  const result = form.safeParse(change, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.map(issue => ({ ...issue, path: [...path, ...issue.path] }));
  throw new FieldsError(fieldErrors(issues, language));
}

/** The change with whole limits: their fields that were not sent keep the stored value. A 422 names one that does not fit. */
export function completeLimits<C extends object>(
  form: z.ZodObject,
  { stored, change, language }: { stored: object; change: C; language: Language },
): C {
  const found = limitsOf(form, stored, change);
  return { ...change, ...completeForm(found.form, found.limits, language) };
}
