import { z } from 'zod';
import { optionalId, whole } from './fields.ts';
import { providerSlugs } from './locations.ts';

/** The sign-in methods of a portal and their settings (document 1, section 3). */

export type ProviderSlug = (typeof providerSlugs)[number];

const common = {
  collect_email: z.boolean().default(false),
  email_required: z.boolean().default(false),
  collect_phone: z.boolean().default(false),
  phone_required: z.boolean().default(false),
  require_security_code: z.boolean().default(false),
  security_code: z
    .preprocess(
      value => (value === '' ? null : Number.isSafeInteger(value) && Number(value) >= 0 ? String(value) : value),
      z.string().trim().max(32).nullable(),
    )
    .default(null),
  /** Whether returning guests skip the form: by the cookie of their browser, or also by the MAC of their device. */
  remember: z.enum(['off', 'cookie', 'mac']).default('off'),
  remember_days: whole(1, 365).default(30),
};

/** Drops options that have no effect, such as a security code that guests are not asked for. */
function normalized<
  T extends {
    require_security_code: boolean;
    security_code: string | null;
    collect_email: boolean;
    collect_phone: boolean;
    email_required: boolean;
    phone_required: boolean;
  },
>(options: T): T {
  const hasCode = options.require_security_code && options.security_code !== null;
  return {
    ...options,
    require_security_code: hasCode,
    security_code: hasCode ? options.security_code : null,
    email_required: options.collect_email && options.email_required,
    phone_required: options.collect_phone && options.phone_required,
  };
}

export const citizenIdTypes = ['nvi', 'local'] as const;
export const citizenIdMethods = ['only_citizen_id', 'both'] as const;
/** `onylIdNumber` is misspelled in the API. */
export const roomNumberMethods = ['both', 'idNumber', 'onylIdNumber', 'departureDate', 'surname'] as const;

const plain = z.object(common).transform(normalized);
const free = z.object({
  ...common,
  profile_id: optionalId.transform(value => value ?? null),
  confirm_email: z.boolean().default(false),
});
// Confirming the e-mail address requires that the form asks for it.
const temp = free.transform(it =>
  normalized(it.confirm_email ? { ...it, collect_email: true, email_required: true } : it),
);
const email = free.transform(normalized);
const citizenId = z
  .object({
    ...common,
    provider_type: z.enum(citizenIdTypes).default('local'),
    method: z.enum(citizenIdMethods).optional(),
    citizen_id_field: z.enum(citizenIdMethods).optional(),
  })
  .transform(it => {
    const method = it.method ?? it.citizen_id_field ?? 'both';
    return normalized({ ...it, method, citizen_id_field: it.citizen_id_field ?? method });
  });
const roomNumber = z.object({ ...common, method: z.enum(roomNumberMethods).default('both') }).transform(normalized);

const entry = <S extends ProviderSlug, O extends z.ZodType>(slug: S, options: O) =>
  z.object({
    slug: z.literal(slug),
    order: whole(0, 100),
    is_active: z.boolean().default(true),
    options: z.preprocess(value => value ?? {}, options),
  });

/** One method. Without `is_active` it is on, as in a list of active methods. */
export const provider = z.discriminatedUnion('slug', [
  entry('citizen-id', citizenId),
  entry('room-number', roomNumber),
  entry('sms', plain),
  entry('username', plain),
  entry('temp', temp),
  entry('email', email),
  entry('voucher', plain),
]);
export type Provider = z.output<typeof provider>;

/**
 * How a method identifies its guests: an account of the location, the national registry or a list, the hotel's system, or a
 * code that is sent. `open`: it does not check their input.
 */
export const authTypes = ['account', 'identity', 'hotel', 'code', 'open'] as const;
/** A method that portals can offer. `id` is its slug, as in `available_providers`; `name` is in the caller's language. */
export const authProvider = z.object({
  id: z.enum(providerSlugs),
  name: z.string(),
  slug: z.enum(providerSlugs),
  logo: z.string(),
  auth_type: z.enum(authTypes),
});
export type AuthProvider = z.output<typeof authProvider>;

/** The methods of a portal, each at most once. Omitted ones are off. */
export const providers = z
  .array(provider)
  .max(providerSlugs.length)
  .refine(list => new Set(list.map(it => it.slug)).size === list.length, 'unique');

const defaultOrder: Record<ProviderSlug, number> = {
  'citizen-id': 1,
  'room-number': 2,
  sms: 3,
  username: 4,
  temp: 5,
  email: 5,
  voucher: 6,
};

const defaultProvider = (slug: ProviderSlug, is_active: boolean): Provider =>
  provider.parse({ slug, order: defaultOrder[slug], is_active, options: {} });

const disabledProviders = Object.fromEntries(providerSlugs.map(slug => [slug, defaultProvider(slug, false)])) as Record<
  ProviderSlug,
  Provider
>;

/** A stored method without a newer option has the option's default. */
const complete = (it: Provider): Provider =>
  ({ ...it, options: { ...disabledProviders[it.slug].options, ...it.options } }) as Provider;

/** The methods of a new portal: those that its location may use are on. A location without a restriction starts with one. */
export const providersFor = (given: readonly string[]): Provider[] =>
  providerSlugs.map(slug => defaultProvider(slug, given.length ? given.includes(slug) : slug === 'username'));

const defaultProviders = providersFor([]);

/**
 * `method` and `citizen_id_field` are two names of one setting. If they differ, the caller changed one of them and sent the
 * other as it was: the changed one holds.
 */
export function withOneMethod(sent: Provider, stored: readonly Provider[]): Provider {
  if (sent.slug !== 'citizen-id') return sent;
  const before = (stored.find(it => it.slug === 'citizen-id') ?? disabledProviders['citizen-id']).options;
  const { method, citizen_id_field } = sent.options;
  const chosen = 'citizen_id_field' in before && method === before.method ? citizen_id_field : method;
  return { ...sent, options: { ...sent.options, method: chosen, citizen_id_field: chosen } };
}

/** All methods sorted by `order`. Methods that `chosen` omits are off and in their default place. */
export function completeProviders(chosen: readonly Provider[]): Provider[] {
  const all = providerSlugs.map(slug => {
    const found = chosen.find(it => it.slug === slug);
    return found ? complete(found) : disabledProviders[slug];
  });
  return all.sort((a, b) => a.order - b.order);
}

/** The methods of a stored portal; without any, the defaults. */
export const storedProviders = (stored: readonly Provider[]): Provider[] =>
  completeProviders(stored.length ? stored : defaultProviders);
