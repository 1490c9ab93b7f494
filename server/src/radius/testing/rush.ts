// Sends as many datagrams to a port as it is told, from many ports. Awaits each turn, so that none is lost on its way out.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const [to = 0, count = 0] = process.argv.slice(2).map(Number);
const routers = 128;
const sockets = await Promise.all(
  Array.from({ length: routers }, async () => {
    const socket = createSocket('udp4');
    socket.connect(to, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }),
);
for (let sent = 0; sent < count; sent += routers)
  await Promise.all(
    sockets
      .slice(0, count - sent)
      .map(socket => new Promise<void>(resolve => socket.send('not RADIUS', () => resolve()))),
  );
for (const socket of sockets) socket.close();
