import { createSocket } from 'node:dgram';
import { attribute, code, errorCause } from '@portico/radius/attributes.ts';
import { encodeReply, integer } from '@portico/radius/encode.ts';
import { decode, type Packet, readAddress, readInteger, readText } from '@portico/radius/packet.ts';
import { checkMessageAuthenticator, isRequestAuthentic } from '@portico/radius/verify.ts';
import type { HotspotSession } from './session.ts';

/** `ack` executes the command, `nak` refuses it (Administratively-Prohibited), `silent` ignores it. */
export type CoaBehaviour = 'ack' | 'nak' | 'silent';

export interface CoaOptions {
  readonly address: string;
  readonly port: number;
  readonly secret: Buffer;
  readonly behaviour: () => CoaBehaviour;
  readonly sessions: () => Iterable<HotspotSession>;
  readonly disconnect: (session: HotspotSession) => void;
  readonly change: (session: HotspotSession, request: Packet) => void;
}

const longestSkewSeconds = 300;

/** Answers Disconnect- and CoA-Requests like RouterOS with `/radius incoming accept=yes`. */
export const openCoaResponder = async (options: CoaOptions) => {
  const { secret } = options;
  const socket = createSocket('udp4');
  let requests = 0;
  let commands = 0;

  const isGenuine = (request: Packet): boolean => {
    if (request.code !== code['Disconnect-Request'] && request.code !== code['CoA-Request']) return false;
    if (!isRequestAuthentic(request, secret)) return false;
    if (checkMessageAuthenticator(request, secret) === 'invalid') return false;
    const stamp = readInteger(request, attribute['Event-Timestamp']);
    return stamp === undefined || Math.abs(stamp - Date.now() / 1000) <= longestSkewSeconds;
  };

  const find = (request: Packet): HotspotSession | undefined => {
    const named = {
      user: readText(request, attribute['User-Name']),
      id: readText(request, attribute['Acct-Session-Id']),
      ip: readAddress(request, attribute['Framed-IP-Address']),
      mac: readText(request, attribute['Calling-Station-Id'])?.replaceAll('-', ':'),
    };
    if (Object.values(named).every(it => it === undefined)) return undefined;
    for (const session of options.sessions())
      if (
        (named.user ?? session.userName) === session.userName &&
        (named.id ?? session.id) === session.id &&
        (named.ip ?? session.device.ip) === session.device.ip &&
        (named.mac ?? session.device.mac) === session.device.mac
      )
        return session;
    return undefined;
  };

  const answer = (request: Packet): Buffer | undefined => {
    const behaviour = options.behaviour();
    if (behaviour === 'silent') return undefined;
    const refuse = (cause: number): Buffer =>
      encodeReply(request, { code: request.code + 2, attributes: [integer(attribute['Error-Cause'], cause)], secret });
    if (behaviour === 'nak') return refuse(errorCause['Administratively-Prohibited']);
    const session = find(request);
    if (!session) return refuse(errorCause['Session-Context-Not-Found']);
    if (request.code === code['Disconnect-Request']) options.disconnect(session);
    else options.change(session, request);
    return encodeReply(request, { code: request.code + 1, attributes: [], secret });
  };

  // A retransmission comes from the same port (RFC 5176 section 2.3). It gets the answer of the first request.
  let last: { readonly datagram: Buffer; readonly port: number; readonly reply: Buffer | undefined } | undefined;

  socket.on('error', () => undefined);
  socket.on('message', (datagram, from) => {
    const request = decode(datagram);
    if (typeof request === 'string' || !isGenuine(request)) return;
    requests += 1;
    if (!last?.datagram.equals(datagram) || last.port !== from.port) {
      commands += 1;
      last = { datagram, port: from.port, reply: answer(request) };
    }
    if (last.reply) socket.send(last.reply, from.port, from.address, () => undefined);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(options.port, options.address, resolve);
  });

  return {
    port: socket.address().port,
    /** Genuine requests received, retransmissions included. */
    requests: () => requests,
    /** The same without retransmissions. */
    commands: () => commands,
    close: () => new Promise<void>(resolve => socket.close(() => resolve())),
  };
};
