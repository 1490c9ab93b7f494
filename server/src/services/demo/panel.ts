/** Calls the API as the demo administrator, so that sample data passes the same validation as real data. */
export interface Panel {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** Uploads an SVG drawing as a picture of this collection, and returns its address. */
  draw(collection: string, svg: string): Promise<string>;
}

/** The demo account may not sign in any more: its password or the rules of the tenant were changed. */
export class DemoRefused extends Error {}

export async function signIn(url: string, account: { email: string; password: string }): Promise<Panel> {
  let token: string | undefined;
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: {
        ...(isForm ? {} : { 'content-type': 'application/json' }),
        'x-tenant': 'panel',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!response.ok) {
      const said = `Demo data: ${method} ${path} answered ${response.status} ${await response.text()}`;
      throw [401, 403, 422].includes(response.status) && !token ? new DemoRefused(said) : new Error(said);
    }
    return response.status === 204 ? (undefined as T) : ((await response.json()) as { data: T }).data;
  }
  token = (await call<{ token?: string }>('POST', 'user/login', account)).token;
  if (!token) throw new DemoRefused('Demo data: the account needs a second factor');
  return {
    get: path => call('GET', path),
    post: (path, body) => call('POST', path, body),
    draw: async (collection, svg) => {
      const form = new FormData();
      form.set('collection', collection);
      form.set('file', new Blob([svg], { type: 'image/svg+xml' }), `${collection}.svg`);
      return (await call<{ url: string }>('POST', 'panel/portal/image', form)).url;
    },
  };
}
