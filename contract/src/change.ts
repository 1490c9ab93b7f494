import type { z } from 'zod';

const changes = new WeakSet<z.ZodType>();

/**
 * The body of a PUT. Omitted fields of the form keep their value; the defaults of the form apply only when something is
 * created. Null clears an optional field.
 */
export function changeOf<S extends z.core.$ZodLooseShape, C extends z.core.$ZodObjectConfig>(form: z.ZodObject<S, C>) {
  const schema = form.partial();
  changes.add(schema);
  return schema;
}

/** Removes the fields that were not sent from the parsed body of a change. Returns any other body unchanged. */
export function onlySent(schema: z.ZodType, parsed: unknown, sent: unknown): unknown {
  if (!changes.has(schema)) return parsed;
  return Object.fromEntries(Object.entries(parsed as object).filter(([key]) => Object.hasOwn(sent as object, key)));
}

/** The stored values with a change applied. */
export const withChange = <T extends object>(stored: T, change: { readonly [K in keyof T]?: T[K] | undefined }): T => ({
  ...stored,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
});
