import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { attribute, code } from './attributes.ts';
import { encodeRequest, newAuthenticator, octets } from './encode.ts';
import { decode, type Packet } from './packet.ts';
import { chapAttributes, hidePassword } from './password.ts';
import { checkMessageAuthenticator, isReplyAuthentic } from './verify.ts';

export interface ClientOptions {
  readonly host: string;
  readonly port: number;
  readonly secret: Buffer;
  /** Local address to send from. */
  readonly from?: string;
  /** How long to wait for each attempt, in milliseconds; 1000 when left out. */
  readonly timeoutMs?: number;
  /** How many times a request is sent in total; 3 when left out. */
  readonly attempts?: number;
  /** Maximum number of sockets, each with 256 outstanding requests (an id is one byte); 64 when left out. */
  readonly sockets?: number;
  /** Ignores replies without Message-Authenticator, except to accounting, like RouterOS since 7.15. */
  readonly requireMessageAuthenticator?: boolean;
}

export interface ClientRequest {
  readonly code: number;
  readonly attributes: readonly Buffer[];
  /** Added as a hidden User-Password (PAP). */
  readonly password?: string | Buffer;
  /** Added as CHAP-Password and CHAP-Challenge. */
  readonly chapPassword?: string | Buffer;
}

export interface RadiusClient {
  /**
   * Sends a request, again after each timeout. Resolves to the first reply that verifies, or `undefined`.
   * All attempts send the same datagram, so the server recognises them. Rejects only when a value does not fit.
   */
  readonly send: (request: ClientRequest) => Promise<Packet | undefined>;
  /** Number of received datagrams that did not verify. */
  readonly ignored: () => number;
  /** Closes the sockets; pending requests resolve to `undefined`. */
  readonly close: () => void;
}

interface Pending {
  readonly id: number;
  readonly authenticator: Buffer;
  readonly datagram: Buffer;
  left: number;
  timer: NodeJS.Timeout | undefined;
  readonly settle: (reply: Packet | undefined) => void;
}

interface Line {
  readonly socket: Socket;
  readonly pending: (Pending | undefined)[];
  outstanding: number;
  nextId: number;
  connected: boolean;
}

const idsPerSocket = 256;

/** Opens a client for one server. UDP errors, such as a closed port, count as no answer. */
export const openClient = (options: ClientOptions): RadiusClient => {
  const { secret, timeoutMs = 1000, attempts = 3, sockets: maxSockets = 64 } = options;
  const lines: Line[] = [];
  const waiting: (() => void)[] = [];
  let ignored = 0;
  let closed = false;

  const receive = (line: Line, datagram: Buffer): void => {
    const reply = decode(datagram);
    const request = typeof reply === 'string' ? undefined : line.pending[reply.id];
    if (typeof reply === 'string' || !request || !isTrusted(reply, request)) {
      ignored += 1;
      return;
    }
    finish(line, request, reply);
  };

  const isTrusted = (reply: Packet, request: Pending): boolean =>
    isReplyAuthentic(reply, request, secret) &&
    (!options.requireMessageAuthenticator ||
      reply.code === code['Accounting-Response'] ||
      checkMessageAuthenticator(reply, secret, request.authenticator) === 'valid');

  const finish = (line: Line, request: Pending, reply: Packet | undefined): void => {
    clearTimeout(request.timer);
    line.pending[request.id] = undefined;
    line.outstanding -= 1;
    request.settle(reply);
    waiting.shift()?.();
  };

  const transmit = (line: Line, request: Pending): void => {
    if (request.left === 0) {
      finish(line, request, undefined);
      return;
    }
    request.left -= 1;
    request.timer = setTimeout(transmit, timeoutMs, line, request);
    if (line.connected) line.socket.send(request.datagram, ignoreError);
  };

  const openLine = (): Line => {
    const socket = createSocket({ type: isIPv6(options.host) ? 'udp6' : 'udp4', recvBufferSize: 1 << 20 });
    const line: Line = {
      socket,
      pending: new Array(idsPerSocket).fill(undefined),
      outstanding: 0,
      nextId: Math.floor(Math.random() * idsPerSocket),
      connected: false,
    };
    socket.on('message', datagram => receive(line, datagram));
    socket.on('error', ignoreError);
    const connect = (): void => {
      if (closed) return;
      // On a connected socket the kernel drops datagrams from other addresses.
      socket.connect(options.port, options.host, (error?: Error) => {
        if (error || closed) return;
        line.connected = true;
        for (const request of line.pending) if (request) socket.send(request.datagram, ignoreError);
      });
    };
    if (options.from) socket.bind({ address: options.from, port: 0 }, connect);
    else connect();
    lines.push(line);
    return line;
  };

  const freeLine = (): Line | undefined =>
    lines.find(line => line.outstanding < idsPerSocket) ?? (lines.length < maxSockets ? openLine() : undefined);

  const start = (line: Line, request: ClientRequest, settle: Pending['settle']): void => {
    while (line.pending[line.nextId]) line.nextId = (line.nextId + 1) % idsPerSocket;
    const id = line.nextId;
    line.nextId = (id + 1) % idsPerSocket;
    const datagram = encode(request, id, secret);
    const pending: Pending = {
      id,
      authenticator: datagram.subarray(4, 20),
      datagram,
      left: attempts,
      timer: undefined,
      settle,
    };
    line.pending[id] = pending;
    line.outstanding += 1;
    transmit(line, pending);
  };

  const send = async (request: ClientRequest): Promise<Packet | undefined> => {
    for (;;) {
      if (closed) return undefined;
      const line = freeLine();
      if (line) {
        const { promise, resolve, reject } = Promise.withResolvers<Packet | undefined>();
        try {
          start(line, request, resolve);
        } catch (error) {
          reject(error);
        }
        return promise;
      }
      await new Promise<void>(resolve => waiting.push(resolve));
    }
  };

  const close = (): void => {
    if (closed) return;
    closed = true;
    for (const line of lines) {
      for (const request of line.pending) if (request) finish(line, request, undefined);
      line.socket.close();
    }
    for (const wake of waiting.splice(0)) wake();
  };

  return { send, ignored: () => ignored, close };
};

const ignoreError = (): void => undefined;

const encode = (request: ClientRequest, id: number, secret: Buffer): Buffer => {
  const attributes = [...request.attributes];
  if (request.chapPassword !== undefined) attributes.push(...chapAttributes(request.chapPassword));
  if (request.code !== code['Access-Request']) return encodeRequest({ code: request.code, id, attributes, secret });
  const authenticator = newAuthenticator();
  if (request.password !== undefined)
    attributes.push(octets(attribute['User-Password'], hidePassword(request.password, secret, authenticator)));
  return encodeRequest({ code: request.code, id, attributes, secret, authenticator });
};
