import type { z } from 'zod';
import { fill, type Language } from './errors.ts';
import { type MessageKey, messages } from './field-messages.ts';

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** A message, with a value for each of its placeholders. */
export type FieldProblem = {
  [Key in MessageKey]: [Placeholders<(typeof messages)[Key]['en']>] extends [never]
    ? Key | readonly [Key]
    : readonly [Key, Readonly<Record<Placeholders<(typeof messages)[Key]['en']>, unknown>>];
}[MessageKey];

/** A message in a language. */
export const say = (key: MessageKey, language: Language, values?: Record<string, unknown>): string =>
  fill(messages[key][language], values);

type Issue = z.core.$ZodIssue;

/** Messages that say how a value is written. */
const formats: ReadonlySet<string> = new Set<MessageKey>([
  ...([
    'ip_address',
    'source_address',
    'source_prefix',
    'printer_address',
    'subnet',
    'login_host',
    'host_format',
  ] as const),
  ...(['domain_format', 'mac_format', 'serial_format', 'phone_format', 'citizen_id_format', 'color_format'] as const),
  ...([
    'gradient_format',
    'time_zone',
    'interface_format',
    'date',
    'https_link',
    'clock_format',
    'language_tag',
  ] as const),
]);

/** The message of an issue of zod, and its values. */
export function keyOf(issue: Issue): [MessageKey, (Record<string, unknown> | undefined)?] {
  // An empty box has no wrong value.
  if (
    issue.input === '' &&
    (formats.has(issue.message) || (issue.code === 'invalid_format' && issue.message === 'invalid'))
  )
    return ['required'];
  if (issue.message in messages)
    return [issue.message as MessageKey, (issue as { params?: Record<string, unknown> }).params];
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return ['required'];
      return [issue.expected === 'number' ? 'number' : issue.expected === 'int' ? 'integer' : 'invalid'];
    case 'invalid_value':
      return issue.input === undefined ? ['required'] : ['choice', { values: issue.values.join(', ') }];
    case 'invalid_format':
      if (issue.input === '') return ['required'];
      if (issue.format === 'email' || issue.format === 'url' || issue.format === 'ipv4')
        return [issue.format as 'email' | 'url' | 'ipv4'];
      return ['invalid'];
    case 'too_small':
      if (issue.origin === 'string')
        return issue.minimum === 1 ? ['required'] : ['string_min', { limit: issue.minimum }];
      return [issue.origin === 'array' ? 'list_min' : 'number_min', { limit: issue.minimum }];
    case 'too_big':
      return [
        issue.origin === 'string' ? 'string_max' : issue.origin === 'array' ? 'list_max' : 'number_max',
        { limit: issue.maximum },
      ];
    case 'not_multiple_of':
      return issue.divisor === 0.01 ? ['two_decimals'] : ['multiple', { step: issue.divisor }];
    default:
      return ['invalid'];
  }
}

/** A key that an object does not have is named itself, not the object. */
const keysApart = (issue: Issue): readonly Issue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map(key => ({ ...issue, keys: [key], path: [...issue.path, key] }))
    : [issue];

/**
 * Converts issues of zod to `{field: [message, …]}`. A nested field is named by its path, such as `max_upload.value`. A
 * list is one field. Each value has one message: its first.
 */
export function fieldErrors(issues: readonly Issue[], language: Language): Record<string, string[]> {
  const errors: Record<string, string[]> = {};
  const named = new Set<string>();
  for (const issue of issues.flatMap(keysApart)) {
    const value = issue.path.join('.');
    if (named.has(value)) continue;
    named.add(value);
    const [key, values] = keyOf(issue);
    const path = typeof issue.path.at(-1) === 'number' ? issue.path.slice(0, -1) : issue.path;
    const told = (errors[path.join('.') || 'body'] ??= []);
    const text = say(key, language, values);
    if (!told.includes(text)) told.push(text);
  }
  return errors;
}
