import type { z } from 'zod';

const changes = new WeakSet<z.ZodType>();

/**
 * The body of a PUT. Every field of the form may be left out and then keeps its value: the defaults of the form apply
 * to new things only. Null clears a field that may be empty.
 */
export function changeOf<S extends z.core.$ZodLooseShape, C extends z.core.$ZodObjectConfig>(form: z.ZodObject<S, C>) {
  const schema = form.partial();
  changes.add(schema);
  return schema;
}

/** A parsed body without the fields that were not sent, if it is a change; any other body as it is. */
export function onlySent(schema: z.ZodType, parsed: unknown, sent: unknown): unknown {
  if (!changes.has(schema)) return parsed;
  return Object.fromEntries(Object.entries(parsed as object).filter(([key]) => Object.hasOwn(sent as object, key)));
}

/** What is stored, with a change applied. */
export const withChange = <T extends object>(stored: T, change: { readonly [K in keyof T]?: T[K] | undefined }): T => ({
  ...stored,
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
});
