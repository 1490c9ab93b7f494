// Sends as fast as it can from one port, and a few messages from many others in between. Sends are waited for, so that all leave.
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

const loud = await open(from);
const quiet = await Promise.all(Array.from({ length: others }, () => open(0)));
for (let round = 0; round < each; round++) {
  for (let sent = 0; sent < flood / each; sent += 500)
    await Promise.all(Array.from({ length: 500 }, () => send(loud, 'loud')));
  await Promise.all(quiet.map(socket => send(socket, 'else')));
}
for (const socket of [loud, ...quiet]) socket.close();
