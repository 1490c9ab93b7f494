import { createSocket } from 'node:dgram';
import { linesOf } from './log-lines.ts';

/** Lines to send over UDP at a rate and for a time, from devices with these NAS identifiers. */
export interface LogLoad {
  readonly port: number;
  readonly nas: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
  /** Source ports: each router has its own. */
  readonly senders: number;
}

const burstMs = 4;

/** Returns how many lines left this process. */
async function send({ port, nas, perSecond, seconds, senders }: LogLoad): Promise<number> {
  const lines = linesOf(nas);
  const sockets = await Promise.all(
    Array.from({ length: senders }, async () => {
      const socket = createSocket({ type: 'udp4', sendBufferSize: 4 << 20 });
      await new Promise<void>(resolve => socket.connect(port, '127.0.0.1', resolve));
      return socket;
    }),
  );
  let sent = 0;
  let under = 0;
  const began = performance.now();
  for (let spent = 0; spent < seconds * 1000; spent = performance.now() - began) {
    const due = Math.min(perSecond * seconds, Math.floor((spent / 1000) * perSecond));
    for (; sent < due && under < 2000; sent++) {
      under++;
      sockets[sent % senders]!.send(lines[sent % lines.length]!, () => under--);
    }
    await new Promise(resolve => setTimeout(resolve, burstMs));
  }
  while (under > 0) await new Promise(resolve => setTimeout(resolve, burstMs));
  for (const socket of sockets) socket.close();
  return sent;
}

process.on('message', (load: LogLoad) => {
  void send(load).then(sent => process.send!(sent));
});
