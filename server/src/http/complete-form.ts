import type { Language } from '@portico/contract/errors.ts';
import { fieldErrors } from '@portico/contract/validation.ts';
import type { z } from 'zod';
import { FieldsError } from './mount.ts';

/** A change as the form of something new: with the defaults of the form, or a 422 that names what is missing. */
export function completeForm<S extends z.ZodType>(form: S, change: object, language: Language): z.output<S> {
  const result = form.safeParse(change, { reportInput: true });
  if (!result.success) throw new FieldsError(fieldErrors(result.error.issues, language));
  return result.data;
}
