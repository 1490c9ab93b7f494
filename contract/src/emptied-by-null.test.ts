import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { api } from './api.ts';
import { endpoints } from './endpoint.ts';

/** Fields whose empty value is not stored, or changes nothing. */
const others: readonly RegExp[] = [
  // Proofs of one call.
  /\.(password_confirmation|current_password|seen_at)$/,
  // Lists of changes: what is not in them stays.
  /\.style_options$/,
  /^imports\.update\.groups$/,
  // Changed scope by scope: null for all of them could be a mistake.
  /\.permissions$/,
];

/** The object within optional, nullable, defaulted and preprocessed schemas. */
function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return objectIn(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe)
    return objectIn((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType);
  return undefined;
}

function* fieldsOf(schema: z.ZodType, at: string): Generator<[name: string, field: z.ZodType]> {
  for (const [key, field] of Object.entries(objectIn(schema)?.shape ?? {})) {
    yield [`${at}.${key}`, field as z.ZodType];
    yield* fieldsOf(field as z.ZodType, `${at}.${key}`);
  }
}

const changed = [...endpoints(api)]
  .filter(([name, { method }]) => method === 'PUT' || name === 'tenants.update')
  .flatMap(([name, { body }]) => (body ? [...fieldsOf(body, name)] : []))
  .filter(([name]) => !others.some(it => it.test(name)));

describe('null clears a field that may be empty', () => {
  test('of many', () => expect(changed.length).toBeGreaterThan(150));

  test.for([
    { like: 'an empty text', empty: '' },
    { like: 'an empty list', empty: [] },
  ])('like $like', ({ empty }) => {
    const may = changed.filter(([, field]) => field.safeParse(empty).success);
    expect(may.length).toBeGreaterThan(10);
    expect(may.filter(([, field]) => !field.safeParse(null).success).map(([name]) => name)).toEqual([]);
  });
});
