import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterMs } from '#lib/retry-after.ts';

/** Calls the API as the demo administrator, so that sample data passes the same validation as real data. */
export interface Panel {
  get<T>(path: string): Promise<T>;
  /** A request that is repeated with the same key does nothing more. */
  post<T>(path: string, body: unknown, key?: string): Promise<T>;
  /** Makes a location the active one; `all` stands for every one. */
  workAt(location: string): Promise<void>;
  /** Uploads an SVG drawing as a picture of this collection, and returns its address. */
  draw(collection: string, svg: string): Promise<string>;
}

/** How often a call is tried while the server is busy, or still holds the same call of a process that was killed. */
const maxTries = 20;
const waits = ({ status, headers }: Response) => (status === 503 || status === 409) && headers.has('retry-after');

/** The demo account may not sign in any more: its password or the rules of the tenant were changed. */
export class DemoRefused extends Error {}

/** A call was refused, because people who try the product changed something while the sample data was made. */
export class DemoDisturbed extends Error {}

export async function signIn(url: string, account: { email: string; password: string }): Promise<Panel> {
  let token: string | undefined;
  async function call<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
    const isForm = body instanceof FormData;
    const send = () =>
      fetch(`${url}/v1/${path}`, {
        method,
        headers: {
          ...(isForm ? {} : { 'content-type': 'application/json' }),
          'x-tenant': 'panel',
          ...(key && { 'idempotency-key': key }),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
    let response = await send();
    for (let tries = 1; waits(response) && tries < maxTries; tries++) {
      await sleep(retryAfterMs(response.headers.get('retry-after') ?? undefined) ?? 5000);
      response = await send();
    }
    if (!response.ok) {
      const said = `Demo data: ${method} ${path} answered ${response.status} ${await response.text()}`;
      if (token) throw response.status < 500 ? new DemoDisturbed(said) : new Error(said);
      throw [401, 403, 422].includes(response.status) ? new DemoRefused(said) : new Error(said);
    }
    return response.status === 204 ? (undefined as T) : ((await response.json()) as { data: T }).data;
  }
  token = (await call<{ token?: string }>('POST', 'user/login', account)).token;
  if (!token) throw new DemoRefused('Demo data: the account needs a second factor');
  return {
    get: path => call('GET', path),
    post: (path, body, key) => call('POST', path, body, key),
    workAt: location => call('POST', `panel/user/team/change/${location}`, {}),
    draw: async (collection, svg) => {
      const form = new FormData();
      form.set('collection', collection);
      form.set('file', new Blob([svg], { type: 'image/svg+xml' }), `${collection}.svg`);
      return (await call<{ url: string }>('POST', 'panel/portal/image', form)).url;
    },
  };
}
