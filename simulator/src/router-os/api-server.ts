import { createHash, randomBytes } from 'node:crypto';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import type { Behaviour, Listener } from './listener.ts';
import { type Entry, type Menus, Refusal } from './menus.ts';

const word = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'utf8');
  const n = bytes.length;
  const length =
    n < 0x80 ? [n] : n < 0x4000 ? [0x80 | (n >> 8), n & 0xff] : [0xc0 | (n >> 16), (n >> 8) & 0xff, n & 0xff];
  return Buffer.concat([Buffer.from(length), bytes]);
};
const sentence = (...words: readonly string[]): Buffer => Buffer.concat([...words.map(word), Buffer.of(0)]);

/** Reads sentences of words; lengths above 16383 bytes do not occur in commands. */
const reader = () => {
  let rest = Buffer.alloc(0);
  let words: string[] = [];
  return (chunk: Buffer): string[][] => {
    rest = Buffer.concat([rest, chunk]);
    const whole: string[][] = [];
    while (rest.length) {
      const first = rest[0] as number;
      const width = first < 0x80 ? 1 : 2;
      if (rest.length < width) break;
      const length = width === 1 ? first : ((first & 0x3f) << 8) | (rest[1] as number);
      if (rest.length < width + length) break;
      if (length) words.push(rest.toString('utf8', width, width + length));
      else {
        whole.push(words);
        words = [];
      }
      rest = rest.subarray(width + length);
    }
    return whole;
  };
};

const attributes = (words: readonly string[], sign: '=' | '?'): Entry =>
  Object.fromEntries(
    words
      .filter(text => text.startsWith(sign))
      .map(text => {
        const at = text.indexOf('=', 1);
        return [text.slice(1, at), text.slice(at + 1)];
      }),
  );

/** The binary API of RouterOS over TCP or TLS. `login` is `challenge` before version 6.43 and `plain` since. */
export const openApiServer = async (options: {
  readonly address: string;
  readonly port: number;
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  readonly login: 'plain' | 'challenge';
  readonly username: string;
  readonly password: string;
  readonly menus: Menus;
  readonly behaviour: () => Behaviour;
}): Promise<Listener> => {
  const { menus } = options;
  let requests = 0;
  const sockets = new Set<Socket>();

  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    const challenge = randomBytes(16);
    const session = { signedIn: false, challenge };
    const read = reader();
    socket.on('data', chunk => {
      for (const words of read(chunk)) {
        requests += 1;
        const behaviour = options.behaviour();
        if (behaviour === 'silent') continue;
        if (behaviour === 'half') return void socket.end(sentence('!re', '=.id=*1').subarray(0, 6));
        if (behaviour === 'large') {
          socket.write(sentence('!re', `=comment=${'x'.repeat(1_048_576)}`));
          continue;
        }
        for (const reply of execute(words, session)) socket.write(reply);
        if (words[0] === '/quit') socket.end();
      }
    });
  };

  const logIn = (values: Entry, session: { signedIn: boolean; challenge: Buffer }): Buffer[] => {
    const { name, password, response } = values;
    const refused = [sentence('!trap', '=message=invalid user name or password (6)'), sentence('!done')];
    if (response !== undefined) {
      const proof = createHash('md5').update('\0').update(options.password).update(session.challenge).digest('hex');
      session.signedIn = name === options.username && response === `00${proof}`;
      return session.signedIn ? [sentence('!done')] : refused;
    }
    if (options.login === 'challenge') return [sentence('!done', `=ret=${session.challenge.toString('hex')}`)];
    session.signedIn = name === options.username && password === options.password;
    return session.signedIn ? [sentence('!done')] : refused;
  };

  const execute = (words: readonly string[], session: { signedIn: boolean; challenge: Buffer }): Buffer[] => {
    const [command = '', ...rest] = words;
    const values = attributes(rest, '=');
    if (command === '/login') return logIn(values, session);
    if (!session.signedIn) return [sentence('!fatal', 'not logged in')];
    const [, menu = '', verb] = /^\/(.*)\/(\w+)$/.exec(command) ?? [];
    try {
      if (verb === 'print') {
        const properties = values['.proplist']?.split(',');
        const found = menus.print(menu, attributes(rest, '?'));
        const replies = found.map(entry =>
          sentence(
            '!re',
            ...Object.entries(entry)
              .filter(([name]) => !properties || properties.includes(name))
              .map(([name, value]) => `=${name}=${value}`),
          ),
        );
        // RouterOS 7.18 and later answer `!empty` for an empty result.
        return [...(replies.length ? replies : [sentence('!empty')]), sentence('!done')];
      }
      const { '.id': id = '', ...changed } = values;
      if (verb === 'add') return [sentence('!done', `=ret=${menus.add(menu, changed)}`)];
      if (verb === 'set') menus.set(menu, id, changed);
      else if (verb === 'remove') menus.remove(menu, id);
      else throw new Refusal('no such command');
      return [sentence('!done')];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return [sentence('!trap', `=message=${error.message}`), sentence('!done')];
    }
  };

  const server: Server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.address, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    renew: tls => (server as TlsServer).setSecureContext(tls),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
