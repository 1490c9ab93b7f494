// The minimum cost of taking log lines: a socket and a file, in its own process. It only counts.
import { createSocket } from 'node:dgram';
import { open } from 'node:fs/promises';

const [file = ''] = process.argv.slice(2);
const handle = await open(file, 'a');
const socket = createSocket({ type: 'udp4', recvBufferSize: 16 << 20 });
let waiting: Buffer[] = [];
let lines = 0;

socket.on('message', line => {
  lines++;
  waiting.push(line, newline);
});
const newline = Buffer.from('\n');
const write = async (): Promise<void> => {
  const batch = Buffer.concat(waiting);
  waiting = [];
  if (batch.length > 0) await handle.write(batch);
};
// The same interval as the product's.
setInterval(() => void write(), 50);
setInterval(() => void handle.datasync(), 1000);
process.on('message', () => process.send!(lines));
process.on('disconnect', () => process.exit());
socket.bind(0, '127.0.0.1', () => process.send!(socket.address().port));
