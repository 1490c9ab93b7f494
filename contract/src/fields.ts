import { z } from 'zod';
import type { MessageKey } from './field-messages.ts';
import { formatMac, macPattern } from './mac.ts';
import { currencies, dataUnits, durationUnits, speedUnits } from './units.ts';

/** Schemas of common fields. A message that is a key of `messages` is translated. */

/** Converted to lower case, so that references in a form equal the ids that the server returns. */
export const id = z.uuid().toLowerCase();
const plainNumber = /^[+-]?(\d+\.?\d*|\.\d+)$/;
/** A number, or its decimal digits as text, as queries and forms send it. An empty text is not 0, true is not 1, 0x10 is not 16. */
export const numeric = <S extends z.ZodType<number>>(schema: S) =>
  z.preprocess<unknown, S, unknown>(sent => {
    if (typeof sent !== 'string') return sent;
    const digits = sent.trim();
    if (digits === '') return undefined;
    return plainNumber.test(digits) ? Number(digits) : Number.NaN;
  }, schema);
/** Text that is no number, such as 1,5, gets the message of a whole number. */
const anyWhole = () =>
  z.number({
    error: ({ code, input }) =>
      code === 'invalid_type' && input !== undefined && input !== null ? 'integer' : undefined,
  });
/** A whole number within bounds. `abort`: a number has one fault, so the first check that fails is the only message. */
export const wholeNumber = (min: number, max: number) =>
  anyWhole()
    .min(min, { abort: true })
    .max(max, { abort: true })
    .refine(Number.isInteger, { message: 'integer', abort: true })
    .meta({ type: 'integer' });
export const whole = (min: number, max: number) => numeric(wholeNumber(min, max));
/** A number within bounds with at most two decimals. */
export const decimal = (min: number, max: number) =>
  numeric(z.number().min(min, { abort: true }).max(max, { abort: true }).multipleOf(0.01));
/** When a record was deleted (document 1, section 3). Always null: a deleted record is gone. */
export const notDeleted = z.null();
/** An empty text becomes null, as forms send fields that are empty or do not apply. */
export const unlessEmpty = <S extends z.ZodType>(schema: S) =>
  z.preprocess<unknown, S, z.input<S>>(sent => (sent === '' ? null : sent), schema);
const isNothing = (sent: unknown): boolean => sent === '' || sent === null;
const hidden = new WeakSet<z.ZodType>();
/** Null and empty text count as omitted, as forms send hidden fields. */
export const unlessNothing = <S extends z.ZodType>(schema: S) => {
  const field = z.preprocess<unknown, S, z.input<S>>(sent => (isNothing(sent) ? undefined : sent), schema);
  hidden.add(field);
  return field;
};
/** Whether a value that was sent counts as omitted. */
export const isOmitted = (field: z.ZodType | undefined, sent: unknown): boolean =>
  field !== undefined && hidden.has(field) && isNothing(sent);
/** Null empties a field that may be empty, as it clears others. */
export const emptiedByNull = <S extends z.ZodType>(schema: S, empty: z.input<S>) =>
  z.preprocess<unknown, S, z.input<S>>(sent => (sent === null ? empty : sent), schema);
/** An id that may be left out; the empty text of a form's select means none. */
export const optionalId = z
  .string()
  .nullish()
  .transform(value => (value === '' ? null : value))
  .pipe(id.nullish());
export const idParams = z.object({ id });
/** The id of a thing in the caller's own system. */
export const externalId = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .regex(/^[\w.:@/-]+$/, 'invalid');
export const externalIdParams = z.object({ externalId });
/** The description of the calls for things of a location. */
export const byExternalIdOfLocation =
  'A call can be repeated. The id is unique in its location: callers with several locations name it in `location_id`.';
export const time = z.string().meta({ format: 'date-time' });
/** At least one character that can be seen: not only spaces, zero-width characters or Hangul fillers. */
const isVisible = (typed: string): boolean => /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(typed);
/**
 * For a rule about several fields of an object: its problems are reported together with those of each field, not after them.
 * Where a field stops at its first failing check (`abort`), the rule is not run.
 */
export const together = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};
/** A name is one line, because mails and lists contain it in a sentence: line breaks become spaces. */
export const name = z
  .string()
  .overwrite(typed => (isVisible(typed) ? typed.replace(/\p{Cc}+/gu, ' ') : ''))
  .trim()
  .min(1)
  .max(120);
export const text = z.string().trim().max(255);
export const email = z.string().trim().toLowerCase().max(254).pipe(z.email());
/** A new password. Its shortest length belongs to the tenant, so the server checks it and names it. */
export const password = z.string().min(1).max(200);
export const phone = z
  .string()
  .trim()
  .min(1)
  .pipe(
    z
      .string()
      .min(3)
      .max(32)
      .regex(/^[+\d][\d\s().-]*$/, 'phone_format'),
  );

export { formatMac };
/** Longer texts are refused: cut to twelve characters they would name another device. */
export const mac = z
  .string()
  // Without the flag for both cases, which JSON Schema cannot express.
  .regex(/^([^A-Za-z0-9]*[A-Za-z0-9]){0,12}[^A-Za-z0-9]*$/, 'mac_format')
  .transform(formatMac)
  .pipe(z.string().regex(macPattern, 'mac_format'));

export const ipv4 = z.ipv4();
// Made once, because that takes much longer than a check.
const ipv6 = z.ipv6();

/** The longest form of an address: IPv6 that ends with an IPv4 address (RFC 4291 section 2.2). */
const longestAddress = 45;

/** An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) as the IPv4 address that it is; others as they are. */
export function unmapIpv4(address: string): string {
  // The time of the pattern grows with the square of the length.
  if (address.length > longestAddress) return address;
  const tail = /^(?:0*:){2,}(?:0+:)*ffff:([\d.]+|[\da-f]{1,4}:[\da-f]{1,4})$/i.exec(address)?.[1];
  if (tail === undefined || !ipv6.safeParse(address).success) return address;
  if (tail.includes('.')) return tail;
  const [high = 0, low = 0] = tail.split(':').map(part => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
/** An IPv4 or IPv6 address. */
export const ipAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(longestAddress, 'ip_address')
  .transform(unmapIpv4)
  .pipe(z.union([ipv4, ipv6], 'ip_address'));

/** A list in a query: `a=1&a=2`, `a[]=1` (converted by the server) or `a=1,2`. An empty list does not filter. */
export const queryList = <S extends z.ZodType>(item: S) =>
  z.preprocess(value => {
    const parts = [value ?? []]
      .flat()
      .flatMap(part => (typeof part === 'string' ? part.split(',').filter(Boolean) : [part]));
    return parts.length ? parts : undefined;
  }, z.array(item).max(1000).optional());

/** Limits a list to locations. `location_id` may lie outside the active team. */
export const ofLocations = () => ({ location_id: id.optional(), locationIds: queryList(id) });

export const queryFlag = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
  .transform(value => value === true || value === 'true' || value === '1');
/** If nothing matches a search: what is spelled like it. */
export const similar = queryFlag.optional();

/** `page` from 1, and `per_page` with the largest page size `max`. `size` is another name of `per_page` and wins over it. */
export const pageQuery = (max = 1000, standard = 15) => ({
  page: whole(1, 1_000_000).default(1),
  per_page: whole(1, max).default(standard),
  size: whole(1, max).optional(),
});

/** A list that is always short: its rows are one page, unless the caller asks for smaller ones. */
export const shortPageQuery = () => pageQuery(1000, 1000);

/** PostgreSQL has no year 0. */
export const calendarDay = z.iso.date('date').refine(day => day >= '0001', 'date');

/** A day or a time, in the location's time zone unless it contains another (`Z`, `+03:00`). */
export const moment = z
  .string()
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-](0\d|1[0-5]):[0-5]\d)?)?$/, 'date')
  // Date.parse accepts 30 February as a day in March, which PostgreSQL refuses.
  .refine(text => !Number.isNaN(Date.parse(text)) && calendarDay.safeParse(text.slice(0, 10)).success, 'date');

/** A time to the minute or second, with or without a zone, as RFC 3339 has it. */
export const momentOrLocal = z
  .string()
  .trim()
  .transform(typed => typed.replace(' ', 'T'))
  .pipe(z.iso.datetime({ offset: true, local: true, message: 'date' }))
  // PostgreSQL has no year 0, to which a zone could move a time of year 1.
  .refine(typed => typed >= '0002' && typed < '9000', 'date');
/** Whether a time is local to the location, that is without a zone. */
export const isLocalTime = (typed: string): boolean => !/(Z|[+-]\d{2}:?\d{2})$/.test(typed);

/**
 * The end that the caller saw; null: there was none. If the stored end differs, the response is a 409 with the stored end, and
 * nothing changes. If omitted, the end is not compared.
 */
export const expectedEnd = momentOrLocal
  .refine(typed => !isLocalTime(typed), 'date')
  .nullable()
  .optional();

/** The location of a new object, for users of several locations. Default: the active team. */
export const locationRef = optionalId.meta({ format: 'uuid' });

/** A select may send the whole option with its label, instead of its value. Any other object stays, to be refused. */
function chosen(option: unknown): unknown {
  if (typeof option !== 'object' || option === null) return option;
  const { value, id } = option as { value?: unknown; id?: unknown };
  return value ?? id ?? option;
}

/** A form may omit a limit, and the fields of a limit that is off. */
function limitAsSent(sent: unknown): unknown {
  if (sent === null) return undefined;
  if (typeof sent !== 'object' || Array.isArray(sent) || (sent as { is_active?: unknown }).is_active === true)
    return sent;
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null && value !== ''));
}

const partsOfLimits = new WeakMap<z.ZodType, z.ZodType>();

/**
 * A limit in a change: only the fields that were sent. Bounds depend on the stored fields too, so that the whole limit is checked
 * later. Undefined for other fields.
 */
export const partOfLimit = (field: unknown): z.ZodType | undefined => partsOfLimits.get(field as z.ZodType);

/** A limit that can be switched off. `value` is in units of `option`. */
const limit = <const U extends readonly [string, ...string[]]>(
  units: U,
  standard: NoInfer<U>[number],
  most: number,
) => {
  const off = { is_active: false, option: standard, value: 1 };
  const sent = z
    .object({
      is_active: z.boolean().default(false),
      option: z.preprocess(chosen, z.enum(units).default(standard)),
      value: numeric(anyWhole()).default(1).meta({ type: 'integer', minimum: 0, maximum: most }),
    })
    .superRefine((it, context) => {
      const wrong = valueProblem(it, most);
      if (wrong) context.addIssue({ code: 'custom', path: ['value'], ...wrong });
    })
    .default(off);
  const field = z.preprocess<unknown, typeof sent, z.input<typeof sent>>(limitAsSent, sent);
  const part = z
    .object({
      is_active: z.boolean(),
      option: z.preprocess(chosen, z.enum(units)),
      value: numeric(anyWhole()).meta({ type: 'integer', minimum: 0, maximum: most }),
    })
    .partial();
  partsOfLimits.set(
    field,
    z.preprocess(it => (it === null ? off : limitAsSent(it)), part),
  );
  return field;
};

/** The fault in the value of a limit, with one message for each. The bounds of a unit apply while the limit is on. */
function valueProblem(
  { is_active, option, value }: { is_active: boolean; option: string; value: number },
  most: number,
): { message: MessageKey; params?: Record<string, number> } | undefined {
  if (!Number.isInteger(value)) return { message: 'integer' };
  const { min, max } = is_active ? limitBounds[option as LimitUnit] : { min: 0, max: most };
  const step = is_active ? (checkedSteps[option] ?? 0) : 0;
  // A price may be 0. Routers take a limit of 0 for none.
  const lowest = is_active && !(currencies as readonly string[]).includes(option) ? Math.max(1, min, step) : min;
  if (value < lowest || value > max) return { message: 'limit_range', params: { min: lowest, max } };
  return step && value % step ? { message: 'multiple', params: { step } } : undefined;
}

/** Slider bounds of each unit (document 1, section 5; volumes are not in it). */
export const limitBounds = {
  minute: { min: 0, max: 60, step: 5 },
  hour: { min: 0, max: 24, step: 1 },
  day: { min: 0, max: 365, step: 1 },
  kbps: { min: 0, max: 1024, step: 128 },
  mbps: { min: 1, max: 100, step: 1 },
  gbps: { min: 1, max: 100, step: 1 },
  // Up to 10 GB, so that 1.5 GB can be said in whole numbers.
  mb: { min: 1, max: 10_000, step: 10 },
  gb: { min: 1, max: 1000, step: 1 },
  tb: { min: 1, max: 100, step: 1 },
  eur: { min: 0, max: 6000, step: 5 },
  usd: { min: 0, max: 6000, step: 5 },
  gbp: { min: 0, max: 6000, step: 5 },
  try: { min: 0, max: 6000, step: 5 },
} as const;
/** Units whose value must be a multiple of the slider step. A price may be any whole amount. */
const checkedSteps: Record<string, number> = { minute: limitBounds.minute.step, kbps: limitBounds.kbps.step };
export type LimitUnit = keyof typeof limitBounds;

export const speedLimit = limit(speedUnits, 'mbps', 1024);
export const durationLimit = limit(durationUnits, 'day', 365);
export const dataLimit = limit(dataUnits, 'gb', limitBounds.mb.max);
/** A duration that counts in hours unless the form says otherwise. */
export const hoursLimit = limit(durationUnits, 'hour', 365);
export const price = limit(currencies, 'eur', 6000);
