import { parseDate } from '#ui/parse-date.ts';

/** The fields of each sign-in method, in the order of its form. */
const inputs = {
  'room-number': ['room_number', 'id_number', 'last_name', 'birth_date', 'departure_date'],
  username: ['username', 'password'],
  'citizen-id': ['citizen_id', 'first_name', 'last_name', 'birth_date'],
  sms: ['phone', 'code'],
  temp: ['email', 'phone'],
  email: ['email', 'phone'],
  voucher: ['code'],
} as const;
type Method = keyof typeof inputs;
type Input = (typeof inputs)[Method][number];

const known = new Set<string>(Object.values(inputs).flat());

export const isMethod = (slug: string): slug is Method => Object.hasOwn(inputs, slug);

/** The API names the number of a room guest and of a citizen in several ways. */
function inputOf(slug: string, name: string): string {
  const snake = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  const isNumber = ['id_number', 'provider_id', 'citizen_id'].includes(snake);
  if (!isNumber) return snake;
  return slug === 'room-number' ? 'id_number' : 'citizen_id';
}

interface Typed {
  readonly name: string;
  /** The field; not set for one that no form has. */
  readonly input: Input | undefined;
  readonly value: string;
  /** The value as `2026-11-20`, for a field that takes a day. */
  readonly day: string | undefined;
}

/** The values that a guest typed, in the order of the form. */
export function typedIn(attempt: { provider_slug: string; params: Readonly<Record<string, string>> }): Typed[] {
  const slug = attempt.provider_slug;
  const order: readonly string[] = isMethod(slug) ? inputs[slug] : [];
  const place = ({ input }: Typed) => (input && order.includes(input) ? order.indexOf(input) : order.length);
  return Object.entries(attempt.params)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => {
      const input = inputOf(slug, name);
      const day = input.endsWith('_date') ? parseDate(value)?.slice(0, 10) : undefined;
      return { name, input: known.has(input) ? (input as Input) : undefined, value, day };
    })
    .toSorted((a, b) => place(a) - place(b));
}
