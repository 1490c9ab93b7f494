import { EventEmitter, once } from 'node:events';
import { type ConnectionOptions, connect } from 'node:tls';
import { attribute, code } from '@portico/radius/attributes.ts';
import { encodeRequest, newAuthenticator, octets, text } from '@portico/radius/encode.ts';
import { decode, type Packet } from '@portico/radius/packet.ts';
import { hidePassword } from '@portico/radius/password.ts';
import { isReplyAuthentic } from '@portico/radius/verify.ts';

export const radsecSecret = Buffer.from('radsec');

/** An encoded request for RADIUS over TLS. */
export function requestOf(
  it: {
    code?: number;
    id: number;
    nas?: string | undefined;
    user?: string;
    password?: string;
    more?: readonly Buffer[];
  },
  secret = radsecSecret,
): Buffer {
  const authenticator = newAuthenticator();
  const attributes = [
    ...(it.nas === undefined ? [] : [text(attribute['NAS-Identifier'], it.nas)]),
    ...(it.user === undefined ? [] : [text(attribute['User-Name'], it.user)]),
    ...(it.password === undefined
      ? []
      : [octets(attribute['User-Password'], hidePassword(it.password, secret, authenticator))]),
    ...(it.more ?? []),
  ];
  return encodeRequest({ code: it.code ?? code['Access-Request'], id: it.id, authenticator, attributes, secret });
}

/** A TLS connection to RADIUS. In TLS 1.3 a refused certificate shows only after the handshake, by `ended`. */
export async function openRadsecClient(port: number, options: ConnectionOptions) {
  const socket = connect({ port, host: '127.0.0.1', checkServerIdentity: () => undefined, ...options });
  let held = Buffer.alloc(0);
  const replies: Packet[] = [];
  const news = new EventEmitter().setMaxListeners(0);
  let over = false;
  let session: Buffer | undefined;
  socket.on('session', it => {
    session = it;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    over = true;
    news.emit('any');
  });
  socket.on('data', chunk => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 4 && held.length >= held.readUInt16BE(2)) {
      const packet = decode(held.subarray(0, held.readUInt16BE(2)));
      if (typeof packet === 'string') throw new Error(packet);
      replies.push(packet);
      held = held.subarray(packet.bytes.length);
      news.emit('any');
    }
  });
  await new Promise<void>(resolve => socket.once('secureConnect', () => resolve()).once('close', () => resolve()));

  /** The reply to a request; undefined when the connection ends without one. */
  async function reply(request: Buffer): Promise<Packet | undefined> {
    const id = request[1] as number;
    const authenticator = request.subarray(4, 20);
    for (;;) {
      const found = replies.find(it => it.id === id && isReplyAuthentic(it, { id, authenticator }, radsecSecret));
      if (found || over) return found;
      await once(news, 'any');
    }
  }

  return {
    socket,
    replies,
    write: (...packets: Buffer[]) => void socket.write(Buffer.concat(packets)),
    reply,
    ask: (request: Buffer) => {
      socket.write(request);
      return reply(request);
    },
    /** Resolves when the server has closed the connection. */
    ended: () => (over ? Promise.resolve() : new Promise<void>(resolve => socket.once('close', () => resolve()))),
    /** The session ticket, by which the connection could be resumed. */
    session: () => session,
    close: () => socket.destroy(),
  };
}
