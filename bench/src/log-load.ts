import { createSocket } from 'node:dgram';

/** Lines to send over UDP, so many a second and for so long, from devices with these NAS ids. */
export interface LogLoad {
  readonly port: number;
  readonly nas: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

const burstMs = 4;
const kinds = 4096;
const senders = 64;

/** Lines of a RouterOS: 45 % firewall, 50 % web proxy, 5 % dhcp; a few sites get most of the requests. */
function linesOf(nas: readonly string[]): Buffer[] {
  return Array.from({ length: kinds }, (_, i) => {
    const head = `<134>Oct 21 09:30:00 ${nas[Math.floor(nas.length * ((i * 0.618) % 1) ** 1.6)]}`;
    const guest = `10.${i % 200}.${i % 250}.${i % 240}`;
    if (i % 20 < 9)
      return Buffer.from(
        `${head} forward: in:bridge-guest out:ether1, connection-state:new src-mac aa:bb:cc:dd:ee:ff, proto TCP (SYN), ${guest}:5${i}->142.250.${i % 200}.14:443, len 60`,
      );
    const site = Math.floor(50_000 ** ((i * 0.382) % 1));
    if (i % 20 < 19)
      return Buffer.from(`${head} ${guest} GET http://h${site}.site${site % 997}.com/page  action=allow cache=MISS`);
    return Buffer.from(`${head} dhcp1 assigned ${guest} to AA:BB:CC:DD:EE:FF phone`);
  });
}

/** Answers how many lines left this process. */
async function send({ port, nas, perSecond, seconds }: LogLoad): Promise<number> {
  const lines = linesOf(nas);
  // Every router has a port of its own.
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
      sockets[sent % senders]!.send(lines[sent % kinds]!, () => under--);
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
