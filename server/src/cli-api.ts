import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { api as contract } from '@portico/contract/api.ts';
import { type Endpoint, endpoints, takesIdempotencyKey } from '@portico/contract/endpoint.ts';
import { CommandError } from '#lib/command-error.ts';
import { type Command, type Print, text, type Values } from './cli-command.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const retries = 3;
const longestWaitSeconds = 60;

type Asked = Pick<Endpoint, 'method' | 'path'> & Partial<Endpoint>;

/** The endpoint that the words name, `visitors.list` or `GET /v1/panel/client`, and the values after them. */
function askedOf(words: readonly string[]): { endpoint: Asked; values: Map<string, string[]> } {
  const [first = '', second = ''] = words;
  const method = methods.find(it => it === first.toUpperCase());
  const known = new Map(endpoints(contract));
  const endpoint: Asked | undefined = method
    ? { method, path: (second.startsWith('/v1/') ? second : `/v1/${second.replace(/^\//, '')}`) as `/v1/${string}` }
    : known.get(first);
  if (!endpoint || (method && !second))
    throw new Error(`There is no operation ${first}: portico api --list shows them all`);
  const values = new Map<string, string[]>();
  for (const word of words.slice(method ? 2 : 1)) {
    const [name = '', value] = [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)];
    if (!word.includes('=')) throw new Error(`${word} is no value: write it as name=value`);
    values.set(name, [...(values.get(name) ?? []), value!]);
  }
  return { endpoint, values };
}

/** The address of a call. Values that the path names go into the path, the others into the query. */
function addressOf({ path }: Asked, values: Map<string, string[]>, base: string): URL {
  const filled = path.replace(/:(\w+)/g, (_place, name: string) => {
    const [value] = values.get(name) ?? [];
    if (!value) throw new Error(`${name}=… is needed`);
    values.delete(name);
    return encodeURIComponent(value);
  });
  const url = new URL(filled, base);
  for (const [name, all] of values) for (const value of all) url.searchParams.append(name, value);
  return url;
}

/** The JSON of `--data`: as typed, of a file (`@file`), or of standard input (`-`). */
function dataOf(values: Values): string | undefined {
  const data = text(values, 'data');
  if (data === undefined) return undefined;
  const read =
    data === '-' ? readFileSync(0, 'utf8') : data.startsWith('@') ? readFileSync(data.slice(1), 'utf8') : data;
  try {
    return JSON.stringify(JSON.parse(read));
  } catch (error) {
    throw new Error(`--data is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Sends a call, and again as long as the server asks for patience. */
export async function send(url: URL, init: RequestInit, left = retries): Promise<Response> {
  const response = await fetch(url, init).catch(({ message, cause }: Error) => {
    throw new CommandError(`No answer from ${url.origin}: ${(cause as Error | undefined)?.message || message}`);
  });
  const wait = Number(response.headers.get('retry-after'));
  const again = (response.status === 429 || response.status === 503) && wait > 0 && wait <= longestWaitSeconds;
  if (left === 0 || !again) return response;
  await response.body?.cancel();
  await sleep(wait * 1000);
  return send(url, init, left - 1);
}

function list(print: Print, word: string | undefined): number {
  const shown = [...endpoints(contract)].filter(([name, { path, summary }]) =>
    `${name} ${path} ${summary}`.toLowerCase().includes(word?.toLowerCase() ?? ''),
  );
  for (const [name, { method, path, summary }] of shown)
    print(`${name.padEnd(32)} ${method.padEnd(6)} ${path}\n    ${summary}`);
  return shown.length > 0 ? 0 : 1;
}

const isJson = (response: Response): boolean => response.headers.get('content-type')?.includes('json') === true;

/** The account of the caller, and the address of Portico. */
export const accountOptions: Command['options'] = {
  url: { type: 'string', about: 'where Portico is (default: PORTICO_URL, or PUBLIC_URL)' },
  token: { type: 'string', about: 'a personal access token (default: PORTICO_TOKEN, which other users cannot see)' },
  tenant: { type: 'string', about: 'the slug of the tenant (default: PORTICO_TENANT, or that of the host)' },
};

export function accountOf(publicUrl: string, values: Values): { base: string; headers: Record<string, string> } {
  const token = text(values, 'token') ?? process.env['PORTICO_TOKEN'];
  const tenant = text(values, 'tenant') ?? process.env['PORTICO_TENANT'];
  return {
    base: text(values, 'url') ?? process.env['PORTICO_URL'] ?? publicUrl,
    headers: {
      'accept-language': 'en',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(tenant && { 'x-tenant': tenant }),
    },
  };
}

/** Calls the API. */
export const apiCommand: Command = {
  about: 'call the API: portico api visitors.list search=ada, or portico api GET /v1/panel/client search=ada',
  words: '<operation> | <method> <path>  [name=value …]',
  options: {
    list: { type: 'boolean', about: 'list the operations; a word after it searches' },
    ...accountOptions,
    data: { type: 'string', about: 'the body in JSON; @file reads a file, - reads standard input' },
    all: { type: 'boolean', about: 'every page of a list, one row of JSON in each line' },
  },
  async alone(settings, values, print, words = []) {
    if (values['list']) return list(print, words[0]);
    const { endpoint, values: given } = askedOf(words);
    const { base, headers } = accountOf(settings.PUBLIC_URL, values);
    const url = addressOf(endpoint, given, base);
    const data = dataOf(values);
    const repeatable = endpoint.access ? takesIdempotencyKey(endpoint as Endpoint) : endpoint.method === 'POST';
    const init = {
      method: endpoint.method,
      headers: {
        ...headers,
        ...(data !== undefined && { 'content-type': 'application/json' }),
        ...(repeatable && { 'idempotency-key': randomUUID() }),
      },
      ...(data !== undefined && { body: data }),
    };
    for (let page = 1; ; page += 1) {
      if (values['all']) url.searchParams.set('page', String(page));
      const response = await send(url, init);
      const body = await response.text();
      if (!response.ok) {
        process.stderr.write(`${response.status} ${body}\n`);
        return 1;
      }
      if (!isJson(response)) process.stdout.write(body);
      else if (!values['all']) print(JSON.stringify(JSON.parse(body), null, 2));
      else if (printRows(body, page, print)) return 0;
      if (!values['all'] || !isJson(response)) return 0;
    }
  },
};

/** Prints the rows of a page; true for the last page. */
function printRows(body: string, page: number, print: Print): boolean {
  const { data, meta } = JSON.parse(body) as { data: unknown; meta?: { last_page: number } };
  for (const row of [data].flat()) print(JSON.stringify(row));
  return !meta || page >= meta.last_page;
}
