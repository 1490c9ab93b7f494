import { createHash, createHmac } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { afterFile } from '#test/after-file.ts';

export const answers = { acknowledged: 41, refused: 42 } as const;

/** A router that takes commands (RFC 5176): on 127.0.0.1, with the secret of the scenes. */
export interface CoaRouter {
  readonly port: number;
  readonly received: Buffer[];
  /** The code of its answers; undefined: it keeps silent. */
  reply: (typeof answers)[keyof typeof answers] | undefined;
  /** It answers when this is over. */
  held: Promise<void> | undefined;
}

export async function startCoaRouter(): Promise<CoaRouter> {
  const socket = createSocket('udp4');
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  afterFile(() => {
    socket.close();
  });
  const router: CoaRouter = { port: socket.address().port, received: [], reply: undefined, held: undefined };
  socket.on('message', (packet, from) => {
    router.received.push(packet);
    if (router.reply) void answer(packet, router.reply, from);
  });
  async function answer(packet: Buffer, code: number, from: RemoteInfo): Promise<void> {
    const reply = answerTo(packet, code);
    await router.held;
    socket.send(reply, from.port, from.address);
  }
  return router;
}

/** Message-Authenticator first, then the response authenticator over it (RFC 5176 section 3, RFC 3579 section 3.2). */
function answerTo(packet: Buffer, code: number): Buffer {
  const reply = Buffer.alloc(38);
  reply.writeUInt8(code, 0);
  reply.writeUInt8(packet[1]!, 1);
  reply.writeUInt16BE(38, 2);
  packet.copy(reply, 4, 4, 20);
  reply.set([80, 18], 20);
  createHmac('md5', 'radius secret').update(reply).digest().copy(reply, 22);
  createHash('md5').update(reply).update('radius secret').digest().copy(reply, 4);
  return reply;
}
