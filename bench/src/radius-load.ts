// The load generator for RADIUS, in its own process. Packets are made before the measurement, so that it uses little CPU;
// its own use is reported with the result.
import { createSocket, type Socket } from 'node:dgram';
import { attribute, code } from '@portico/radius/attributes.ts';
import { decode, readOctets } from '@portico/radius/packet.ts';
import { type Guest, report, reportsPerSession, signIn } from './radius-packets.ts';

export interface Load {
  readonly kind: 'auth' | 'acct';
  readonly port: number;
  readonly guests: readonly Guest[];
  /** Sign-ins, or sessions of five reports each; guests take turns. */
  readonly count: number;
  /** Maximum number of requests in flight. */
  readonly outstanding: number;
  /** Requests a second; if left out, as fast as answers arrive. */
  readonly perSecond?: number;
  /** Distinguishes the sessions of this run from those of others. */
  readonly run: string;
}

export interface Outcome {
  readonly seconds: number;
  /** Milliseconds from the moment a request was due to its answer. */
  readonly took: Float64Array;
  readonly rejected: number;
  readonly lost: number;
  readonly resent: number;
  /** Share of one core that this generator used. */
  readonly core: number;
  /** Class of each accepted guest by username, in hex. */
  readonly classes: Record<string, string>;
}

const sockets = 64;
const resendMs = 2000;
const giveUpMs = 10_000;
// The reports of one session are far enough apart that they are never in flight together.
const sessionsSideBySide = 1000;

function makePackets({ kind, guests, count, run }: Load): { packet: Buffer; guest: Guest }[] {
  const made: { packet: Buffer; guest: Guest }[] = [];
  const idOf = (n: number) => Math.floor(n / sockets) % 256;
  if (kind === 'auth') {
    for (let n = 0; n < count; n++)
      made.push({ packet: signIn(guests[n % guests.length]!, idOf(n)), guest: guests[n % guests.length]! });
    return made;
  }
  for (let first = 0; first < count; first += sessionsSideBySide) {
    for (let step = 0; step < reportsPerSession; step++) {
      for (let n = first; n < Math.min(count, first + sessionsSideBySide); n++) {
        const guest = guests[n % guests.length]!;
        made.push({ packet: report(guest, idOf(made.length), `${run}${n.toString(16)}`, step), guest });
      }
    }
  }
  return made;
}

interface Underway {
  readonly index: number;
  readonly due: number;
  sent: number;
}

async function openSockets(port: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: sockets }, async () => {
      const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20, sendBufferSize: 1 << 20 });
      await new Promise<void>(resolve => socket.connect(port, '127.0.0.1', resolve));
      return socket;
    }),
  );
}

/** Sends everything and resolves when every request was answered or failed. */
async function run(load: Load): Promise<Outcome> {
  const packets = makePackets(load);
  const lines = await openSockets(load.port);
  const underway = lines.map(() => new Map<number, Underway>());
  const took: number[] = [];
  const classes: Record<string, string> = {};
  let next = 0;
  let open = 0;
  let rejected = 0;
  let lost = 0;
  let resent = 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  const done = Promise.withResolvers<void>();

  const start = (due: number) => {
    const index = next++;
    const { packet } = packets[index]!;
    const line = index % sockets;
    underway[line]!.set(packet[1]!, { index, due, sent: due });
    open++;
    lines[line]!.send(packet);
  };
  /** An old request without an answer may still have the identifier (RFC 2865 section 3). */
  const isFree = (index: number) => !underway[index % sockets]!.has(packets[index]!.packet[1]!);
  const dueAt = (index: number) => began + (index / load.perSecond!) * 1000;
  const more = () => {
    const now = performance.now();
    const limit = Math.min(packets.length, load.perSecond ? ((now - began) / 1000) * load.perSecond : packets.length);
    while (next < limit && open < load.outstanding && isFree(next)) start(load.perSecond ? dueAt(next) : now);
    if (next >= packets.length && open === 0) done.resolve();
  };
  const finish = (line: number, id: number) => {
    underway[line]!.delete(id);
    open--;
    if (!load.perSecond || next >= packets.length) more();
  };
  const hear = (line: number, datagram: Buffer) => {
    const request = underway[line]!.get(datagram[1]!);
    if (!request) return;
    took.push(performance.now() - request.due);
    if (datagram[0] === code['Access-Reject']) rejected++;
    if (datagram[0] === code['Access-Accept']) {
      const packet = decode(datagram);
      const token = typeof packet === 'string' ? undefined : readOctets(packet, attribute.Class);
      if (token) classes[packets[request.index]!.guest.username] = token.toString('hex');
    }
    finish(line, datagram[1]!);
  };
  for (const [i, line] of lines.entries()) {
    line.on('message', datagram => hear(i, datagram));
    // A closed port: the request is repeated, and fails in the end.
    line.on('error', () => undefined);
  }
  const remind = setInterval(() => {
    const now = performance.now();
    for (const [line, requests] of underway.entries()) {
      for (const [id, request] of requests) {
        if (now - request.due > giveUpMs) {
          lost++;
          finish(line, id);
        } else if (now - request.sent > resendMs) {
          request.sent = now;
          resent++;
          lines[line]!.send(packets[request.index]!.packet);
        }
      }
    }
  }, 250);
  const pace = load.perSecond ? setInterval(more, 2) : undefined;
  more();
  await done.promise;
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(remind);
  clearInterval(pace);
  for (const line of lines) line.close();
  return {
    seconds,
    took: Float64Array.from(took),
    rejected,
    lost,
    resent,
    core: (user + system) / 1e6 / seconds,
    classes,
  };
}

process.on('message', (load: Load) => {
  run(load).then(
    outcome => process.send!(outcome),
    error => {
      process.stderr.write(`${(error as Error).stack}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
