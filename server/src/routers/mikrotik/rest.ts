import { request } from 'node:http';
import { isIPv6 } from 'node:net';
import { openSocket } from '../pinned-socket.ts';
import { RouterError, type RouterLink, type RouterTarget } from '../router-control.ts';
import { applyCommand } from './commands.ts';
import { type Entry, type Menus, maxAnswerBytes } from './menus.ts';

/** RouterOS 7 over HTTPS. Each request opens its own connection and checks the certificate before it sends the password. */
export async function openRest(target: RouterTarget): Promise<RouterLink> {
  const deadline = Date.now() + target.timeoutMs;
  let certificate: string | null = null;
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const left = deadline - Date.now();
    if (left <= 0) throw timedOut(target);
    const opened = await openSocket({ ...target, pin: target.pin ?? certificate ?? undefined, timeoutMs: left });
    certificate = opened.certificate;
    return read(await send(target, { method, path, body, socket: opened.socket, deadline }), method);
  };
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
    certificate,
    identify: async () => ({
      identity: String(((await ask('GET', '/rest/system/identity')) as Entry | undefined)?.['name'] ?? ''),
      version: String(resource?.['version'] ?? ''),
    }),
    apply: command => applyCommand(menus, command),
    close: () => undefined,
  };
}

const timedOut = ({ timeoutMs }: RouterTarget) =>
  new RouterError('unreachable', `no answer within ${Math.ceil(timeoutMs / 1000)} s`);

interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Sending {
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  readonly socket: import('node:net').Socket;
  readonly deadline: number;
}

function send(target: RouterTarget, { method, path, body, socket, deadline }: Sending): Promise<Answer> {
  const text = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      clearTimeout(timer);
      socket.destroy();
      reject(error as Error);
    };
    const timer = setTimeout(() => fail(timedOut(target)), Math.max(1, deadline - Date.now()));
    const outgoing = request({
      method,
      path,
      createConnection: () => socket,
      headers: {
        host: `${isIPv6(target.host) ? `[${target.host}]` : target.host}:${target.port}`,
        authorization: `Basic ${Buffer.from(`${target.username}:${target.password}`).toString('base64')}`,
        connection: 'close',
        ...(text === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      },
    });
    outgoing.once('error', fail);
    outgoing.once('response', response => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > maxAnswerBytes) fail(new RouterError('refused', 'the answer is too large'));
        else parts.push(part);
      });
      response.once('error', fail);
      response.once('aborted', () => fail(new RouterError('unreachable', 'the router closed the connection')));
      response.once('end', () => {
        clearTimeout(timer);
        socket.destroy();
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
      });
    });
    outgoing.end(text);
  });
}

/** The content of an answer. RouterOS reports errors as {error, message, detail}. */
function read({ status, text }: Answer, method: string): unknown {
  let json: unknown;
  try {
    json = text === '' ? undefined : JSON.parse(text);
  } catch {
    json = undefined;
  }
  if (status === 401) throw new RouterError('login', 'the router refused this user name or password');
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
