import { jsonOf, type PinnedAnswer, pinnedClient } from '../pinned-request.ts';
import { RouterError, type RouterLink, type RouterTarget } from '../router-control.ts';
import { applyCommand } from './commands.ts';
import { type Entry, type Menus, maxAnswerBytes } from './menus.ts';

/** RouterOS 7 over HTTPS. Each request opens its own connection and checks the certificate before it sends the password. */
export async function openRest(target: RouterTarget): Promise<RouterLink> {
  const client = pinnedClient(target, { maxBytes: maxAnswerBytes });
  const authorization = `Basic ${Buffer.from(`${target.username}:${target.password}`).toString('base64')}`;
  const ask = async (method: string, path: string, body?: object): Promise<unknown> =>
    read(await client.ask({ method, path, headers: { authorization }, body }), method);
  const menus: Menus = {
    print: async (menu, where, properties) => {
      const query = new URLSearchParams({ ...where, '.proplist': properties.join(',') });
      const answer = await ask('GET', `/rest/${menu}?${query}`);
      if (!Array.isArray(answer)) throw new RouterError('refused', 'the answer is not a list');
      return answer as Entry[];
    },
    add: async (menu, values) => void (await ask('PUT', `/rest/${menu}`, values)),
    set: async (menu, id, values) => void (await ask('PATCH', `/rest/${menu}/${encodeURIComponent(id)}`, values)),
    remove: async (menu, id) => void (await ask('DELETE', `/rest/${menu}/${encodeURIComponent(id)}`)),
  };
  const resource = (await ask('GET', '/rest/system/resource')) as Entry;
  return {
    certificate: client.certificate(),
    identify: async () => ({
      identity: String(((await ask('GET', '/rest/system/identity')) as Entry | undefined)?.['name'] ?? ''),
      version: String(resource?.['version'] ?? ''),
    }),
    apply: command => applyCommand(menus, command),
    close: () => undefined,
  };
}

/** The content of an answer. RouterOS reports errors as {error, message, detail}. */
function read(answer: PinnedAnswer, method: string): unknown {
  const { status, text } = answer;
  const json = jsonOf(answer);
  if (status === 401) throw new RouterError('login', 'the router refused this username or password');
  // Another client removed it in the meantime.
  if (status === 404 && method === 'DELETE') return undefined;
  if (status < 200 || status > 299) {
    const { message, detail } = (json ?? {}) as { message?: unknown; detail?: unknown };
    const words = [message, detail].filter(word => typeof word === 'string').join(': ');
    throw new RouterError(status >= 500 ? 'unreachable' : 'refused', words || `HTTP ${status}`);
  }
  if (json === undefined && text !== '') throw new RouterError('refused', 'the answer is not from RouterOS');
  return json;
}
