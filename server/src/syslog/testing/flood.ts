// Sends as fast as possible from one port, and some messages from many others in between. Awaits each send, so that none is lost.
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

const [to = 0, from = 0, flood = 0, others = 0, each = 0] = process.argv.slice(2).map(Number);
const open = async (port: number): Promise<Socket> => {
  const socket = createSocket({ type: 'udp4', sendBufferSize: 4 << 20 });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
};
const send = (socket: Socket, text: string) =>
  new Promise<void>((resolve, reject) => {
    socket.send(text, to, '127.0.0.1', error => (error ? reject(error) : resolve()));
  });

const busy = await open(from);
const quiet = await Promise.all(Array.from({ length: others }, () => open(0)));
for (let round = 0; round < each; round++) {
  for (let sent = 0; sent < flood / each; sent += 500)
    await Promise.all(Array.from({ length: 500 }, () => send(busy, 'busy')));
  await Promise.all(quiet.map(socket => send(socket, 'else')));
}
for (const socket of [busy, ...quiet]) socket.close();
