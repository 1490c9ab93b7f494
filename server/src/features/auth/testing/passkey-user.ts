import type { Answer, Ask, TestApi } from '#test/harness.ts';
import { type SoftwarePasskey, softwarePasskey } from './software-passkey.ts';

export const panelHost = 'localhost:8080';

/** The cookies of a browser, as the API sets them. The API must trust the test as its proxy. */
export function browserAt(api: TestApi, host = panelHost) {
  const cookies = new Map<string, string>();
  return async (method: 'POST' | 'GET' | 'PUT' | 'DELETE', at: string, ask: Ask = {}): Promise<Answer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'x-forwarded-host': host, ...(cookie ? { cookie } : {}), ...ask.headers };
    const answer = await api.ask(method, at, { ...ask, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
}
export type Browser = ReturnType<typeof browserAt>;

export interface PasskeyUser {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly browser: Browser;
  readonly passkey: SoftwarePasskey;
  /** The answer to the registration. */
  readonly made: Answer;
}

/** A user with a passkey, in a browser of their own. */
export async function passkeyUser(
  api: TestApi,
  options: { tenant?: string; host?: string; role?: 'tenant-admin' | 'member' } = {},
): Promise<PasskeyUser> {
  const { tenant = 'panel', host = panelHost, role = 'tenant-admin' } = options;
  const user = await api.user(role, { tenant });
  const browser = browserAt(api, host);
  const passkey = softwarePasskey(`http://${host}`);
  const as = { token: user.token, tenant };
  const begun = await browser('POST', 'panel/user/passkey/options', { ...as, body: { password: 'secret1' } });
  const body = { name: 'Telefon', passkey: passkey.create(begun.body.data) };
  const made = await browser('POST', 'panel/user/passkey', { ...as, body });
  return { ...user, browser, passkey, made };
}
