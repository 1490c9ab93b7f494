import { z } from 'zod';
import { isOmitted, partOfLimit } from './fields.ts';

/** The fields of the form that each change was made of. */
const changes = new WeakMap<z.ZodType, Readonly<Record<string, z.ZodType>>>();

/**
 * The body of a PUT. Omitted fields of the form keep their value; the defaults of the form apply only when something is
 * created. Null clears an optional field. The same holds within a limit: the type says that it is whole, which it is after
 * completeLimits.
 */
export function changeOf<S extends z.core.$ZodLooseShape, C extends z.core.$ZodObjectConfig>(form: z.ZodObject<S, C>) {
  const schema = withParts(form).partial();
  changes.set(schema, form.shape as Readonly<Record<string, z.ZodType>>);
  return schema;
}

/** The form with limits whose fields may be left out. */
function withParts<F extends z.ZodObject>(form: F): F {
  const limits = Object.entries(form.shape).flatMap(([key, field]) => {
    const part = partOfLimit(field);
    return part ? [[key, part] as const] : [];
  });
  return limits.length > 0 ? (form.extend(Object.fromEntries(limits)) as F) : form;
}

/** Removes the fields that were not sent from the parsed body of a change. Returns any other body unchanged. */
export function onlySent(schema: z.ZodType, parsed: unknown, sent: unknown): unknown {
  const fields = changes.get(schema);
  if (!fields) return parsed;
  const body = sent as Record<string, unknown>;
  const isSent = (key: string) => Object.hasOwn(body, key) && !isOmitted(fields[key], body[key]);
  return Object.fromEntries(Object.entries(parsed as object).filter(([key]) => isSent(key)));
}

/** The limits of a change together with their stored fields, and the schemas that check them. */
export function limitsOf(form: z.ZodObject, stored: object, change: object): { form: z.ZodObject; limits: object } {
  const fields = (it: object, key: string): object => (it as Record<string, object>)[key] ?? {};
  const schemas = Object.entries(form.shape).filter(([key, field]) => key in change && partOfLimit(field));
  return {
    form: z.object(Object.fromEntries(schemas)),
    limits: Object.fromEntries(schemas.map(([key]) => [key, { ...fields(stored, key), ...fields(change, key) }])),
  };
}

/** The stored values with a change applied. */
export const withChange = <T extends object>(stored: T, change: { readonly [K in keyof T]?: T[K] | undefined }): T => ({
  ...stored,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
});

/**
 * Texts per language after a change. A language that was not sent keeps its text, an empty text takes the language away,
 * and null takes all away.
 */
export function withLanguages(
  stored: Readonly<Record<string, string>>,
  sent: Readonly<Record<string, string>> | null | undefined,
): Record<string, string> {
  const texts = sent === null ? {} : { ...stored, ...sent };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
