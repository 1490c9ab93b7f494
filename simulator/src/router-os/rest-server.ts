import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Behaviour, Listener } from './listener.ts';
import { type Entry, type Menus, Refusal } from './menus.ts';

const readBody = async (request: AsyncIterable<Buffer>): Promise<Entry> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return parts.length ? (JSON.parse(Buffer.concat(parts).toString('utf8')) as Entry) : {};
};

/** The REST API of RouterOS 7 over HTTPS. */
export const openRestServer = async (options: {
  readonly address: string;
  readonly port: number;
  readonly tls: { readonly key: string; readonly cert: string };
  readonly menus: Menus;
  readonly isUser: (name: string, password: string) => boolean;
  readonly behaviour: () => Behaviour;
}): Promise<Listener> => {
  const { menus } = options;
  let requests = 0;

  const execute = (method: string, url: URL, body: Entry): unknown => {
    const path = url.pathname.replace(/^\/rest\//, '');
    const [, menu = '', id = ''] = /^(.*?)(?:\/(\*[0-9A-Fa-f]+))?$/.exec(decodeURIComponent(path)) ?? [];
    if (method === 'PUT') return { '.id': menus.add(menu, body) };
    if (method === 'PATCH') return menus.set(menu, id, body);
    if (method === 'DELETE') return menus.remove(menu, id);
    const properties = url.searchParams.get('.proplist')?.split(',');
    const where = Object.fromEntries([...url.searchParams].filter(([name]) => name !== '.proplist'));
    const found = menus.print(menu, where);
    if (path.startsWith('system/')) return found[0];
    return found.map(entry =>
      Object.fromEntries(Object.entries(entry).filter(([name]) => !properties || properties.includes(name))),
    );
  };

  const server = createServer(options.tls, async (request, response) => {
    requests += 1;
    const answer = (status: number, json: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(json === undefined ? '' : JSON.stringify(json));
    const behaviour = options.behaviour();
    if (behaviour === 'silent') return;
    if (behaviour === 'half') {
      response.writeHead(200, { 'content-length': '1000' }).write('[{".id":"*1",');
      return setTimeout(() => response.destroy(), 20);
    }
    if (behaviour === 'large') return answer(200, [{ '.id': '*1', comment: 'x'.repeat(1_048_576) }]);
    const [name = '', ...password] = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64')
      .toString('utf8')
      .split(':');
    if (!options.isUser(name, password.join(':'))) return answer(401, { error: 401, message: 'Unauthorized' });
    try {
      const body = await readBody(request);
      const result = execute(request.method as string, new URL(request.url as string, 'https://router'), body);
      return answer(result === undefined ? 204 : request.method === 'PUT' ? 201 : 200, result);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const status = error.message === 'no such item' ? 404 : 400;
      return answer(status, {
        error: status,
        message: status === 404 ? 'Not Found' : 'Bad Request',
        detail: error.message,
      });
    }
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.address, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    renew: tls => server.setSecureContext(tls),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
