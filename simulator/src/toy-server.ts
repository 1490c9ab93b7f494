import { createSocket, type Socket } from 'node:dgram';
import { attribute, code } from '@portico/radius/attributes.ts';
import { encodeReply, text } from '@portico/radius/encode.ts';
import { decode, type Packet, readText } from '@portico/radius/packet.ts';
import { isChapAnswer, isSamePassword, revealPassword } from '@portico/radius/password.ts';
import { checkMessageAuthenticator, isRequestAuthentic } from '@portico/radius/verify.ts';

/** A minimal RADIUS server for the simulator's own tests: one password, the same answer to every request. */
export const startToyServer = async (options: {
  readonly secret: string;
  readonly password: string;
  readonly accept: () => Buffer[];
}) => {
  const secret = Buffer.from(options.secret);
  const access: Packet[] = [];
  const accounting: Packet[] = [];
  const state = { silent: false };

  const serve = async (answer: (request: Packet) => Buffer | undefined): Promise<Socket> => {
    const socket = createSocket('udp4');
    socket.on('message', (datagram, from) => {
      const request = decode(datagram);
      const reply = typeof request === 'string' || state.silent ? undefined : answer(request);
      if (reply) socket.send(reply, from.port, from.address);
    });
    await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
    return socket;
  };

  const auth = await serve(request => {
    if (checkMessageAuthenticator(request, secret) !== 'valid') return undefined;
    access.push(request);
    const typed = revealPassword(request, secret);
    const isRight = typed ? isSamePassword(typed, options.password) : isChapAnswer(request, options.password);
    return isRight
      ? encodeReply(request, { code: code['Access-Accept'], attributes: options.accept(), secret })
      : encodeReply(request, {
          code: code['Access-Reject'],
          attributes: [text(attribute['Reply-Message'], 'The password is wrong.')],
          secret,
        });
  });
  const acct = await serve(request => {
    if (!isRequestAuthentic(request, secret)) return undefined;
    accounting.push(request);
    return encodeReply(request, { code: code['Accounting-Response'], attributes: [], secret });
  });

  return {
    radius: { host: '127.0.0.1', authPort: auth.address().port, acctPort: acct.address().port },
    access,
    accounting,
    /** The accounting of one session, by Acct-Session-Id. */
    accountingOf: (sessionId: string): Packet[] =>
      accounting.filter(packet => readText(packet, attribute['Acct-Session-Id']) === sessionId),
    silence: (silent: boolean): void => {
      state.silent = silent;
    },
    close: (): void => {
      auth.close();
      acct.close();
    },
  };
};
export type ToyServer = Awaited<ReturnType<typeof startToyServer>>;
