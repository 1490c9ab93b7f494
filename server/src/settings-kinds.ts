import { z } from 'zod';

// A setting is a string. Each kind parses it; its error message follows the setting's name in the output.

export const text = z.string();

export const address = z.union(
  [z.ipv4(), z.ipv6(), z.literal('localhost')],
  'must be an IP address of this machine, or localhost',
);

export function whole(min: number, max: number) {
  const must = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, must)
    .transform(Number)
    .refine(number => number >= min && number <= max, must);
}

export const flag = z.enum(['0', '1'], 'must be 0 or 1').transform(value => value === '1');

/** An address alone, or `Name <address>`. */
export const mailbox = z
  .string()
  .regex(
    /^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)\s*$/,
    'must be an e-mail address, or a name with one: Portico <wifi@example.com>',
  );

export const email = z.email('must be an e-mail address');

export function list<T extends z.ZodType<string>>(item: T, must: string) {
  return z.string().transform((value, context): z.output<T>[] => {
    const items = value.split(',').map(part => part.trim());
    const read = z.array(item).min(1).safeParse(items);
    if (read.success) return read.data;
    context.addIssue({ code: 'custom', message: must });
    return z.NEVER;
  });
}

function url(protocols: readonly string[], must: string) {
  return z.string().refine(value => protocols.includes(parseUrl(value)?.protocol ?? ''), must);
}

const parseUrl = (value: string): URL | null => URL.parse(value);

export const webUrl = url(['https:', 'http:'], 'must be a web address such as https://host/path');

export const postgresUrl = url(
  ['postgres:', 'postgresql:'],
  'must be a PostgreSQL address such as postgresql://user:password@host/database',
);

export const smtpUrl = url(['smtp:', 'smtps:'], 'must be a mail server such as smtps://user:password@host');

/** An origin without path; it may contain `{tenant}` for the tenant's slug. */
export const siteUrl = z
  .string()
  .transform(value => value.replace(/\/+$/, ''))
  .refine(value => {
    const site = parseUrl(value.replaceAll('{tenant}', 'tenant'));
    return site?.origin === value.replaceAll('{tenant}', 'tenant') && /^https?:$/.test(site.protocol);
  }, 'must be an origin such as https://wifi.example.com, without a path');

const mustBeHeaders = 'must be headers as JSON such as {"authorization": "Bearer …"}';

/** Names and values of HTTP headers. */
export const headers = z.string().transform((value, context): Record<string, string> => {
  try {
    const read = z.record(z.string(), z.string()).parse(JSON.parse(value));
    return Object.fromEntries(new Headers(read));
  } catch {
    context.addIssue({ code: 'custom', message: mustBeHeaders });
    return z.NEVER;
  }
});
