import { formatDateTime } from '#lib/format.ts';
import type { Limit } from '#ui/limit-text.ts';

type Values = Record<string, unknown>;

const between = ' · ';

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** All of a limit, not what changed of it. */
export const isLimit = (value: unknown): value is Limit =>
  isObject(value) && ['is_active', 'option', 'value'].every(key => key in value);

/** RFC 3339 with a zone, as the API returns times. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(value);

/** `{limits: {day: 1}}` as `limits · day`, so that each line has one value. A limit is one value. `labelled` gives the words of a line. */
export function flat(values: Values | null, prefix = ''): [field: string, value: unknown][] {
  return Object.entries(values ?? {}).flatMap(([key, value]) => {
    const field = prefix + key;
    const inner = isObject(value) && !isLimit(value);
    return inner ? flat(value, field + between) : [[field, value] as [string, unknown]];
  });
}

/** The words of a field that `flat` found. Two fields may have the same words, so they are no key. */
export const labelled = (field: string, label: (part: string) => string): string =>
  field.split(between).map(label).join(between);

/** The name of an object, with the times in it on the clocks of a zone. Look-ups are named by address and time. */
export const withTimes = (name: string, zone: string | undefined): string =>
  name.replaceAll(/\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g, time => formatDateTime(time, zone));
