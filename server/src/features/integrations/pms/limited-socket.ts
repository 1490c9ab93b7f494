import { Socket } from 'node:net';
import { connectMs, queryMs } from './reader.ts';

/** A hotel has some thousand guests. The drivers keep all that a server sends, so one that sends without end would fill the memory. */
const maxBytes = 32 * 1024 * 1024;
const lookMs = 50;
/** For all steps together: a driver limits each, and some not at all. Tests wait less. */
export const patience = { ms: 2 * connectMs + queryMs };

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

/** A socket that closes after a time limit or too many bytes. TLS reads past the events of a socket, so its bytes are looked at. */
export function limitedSocket(): Socket {
  const socket = new Socket();
  // A driver that failed early may have left it without one.
  socket.on('error', () => undefined);
  const look = setInterval(() => {
    if (socket.bytesRead > maxBytes) socket.destroy(failure('EMSGSIZE', 'the answer is too large'));
  }, lookMs);
  const end = setTimeout(() => socket.destroy(failure('ETIMEDOUT', 'the server takes too long')), patience.ms);
  look.unref();
  end.unref();
  socket.once('close', () => {
    clearInterval(look);
    clearTimeout(end);
  });
  return socket;
}
