import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterFile } from '#test/after-file.ts';

/** The part of Microsoft's TDS 7.4 that a driver needs to sign in and read a table of texts. */
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const short = (value: number) => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const long = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const shortText = (text: string) => Buffer.concat([Buffer.from([text.length]), utf16(text)]);
const longText = (text: string) => Buffer.concat([short(text.length), utf16(text)]);

function packet(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(type, 0);
  head.writeUInt8(1, 1);
  head.writeUInt16BE(body.length + 8, 2);
  head.writeUInt8(1, 6);
  return Buffer.concat([head, body]);
}

/** One option (version), without encryption. */
function preLogin(): Buffer {
  const table = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff]);
  return packet(4, Buffer.concat([table, Buffer.from([16, 0, 0, 0, 0, 0]), Buffer.from([2])]));
}

const token = (kind: number, body: Buffer) => Buffer.concat([Buffer.from([kind]), short(body.length), body]);
const done = (kind: number) => Buffer.concat([Buffer.from([kind]), short(0), short(0), Buffer.alloc(8)]);
const loginAck = () =>
  token(0xad, Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), shortText('Stand-in'), Buffer.from([16, 0, 0, 0])]));
const failure = (number: number, text: string) =>
  token(
    0xaa,
    Buffer.concat([long(number), Buffer.from([1, 14]), longText(text), shortText('srv'), shortText(''), long(1)]),
  );

const collation = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);
function table(columns: readonly string[], rows: readonly (readonly (string | null)[])[]): Buffer {
  const metadata = columns.map(name =>
    Buffer.concat([long(0), short(9), Buffer.from([0xe7]), short(8000), collation, shortText(name)]),
  );
  const cells = rows.map(row =>
    Buffer.concat([
      Buffer.from([0xd1]),
      ...row.map(cell => (cell === null ? short(0xffff) : Buffer.concat([short(cell.length * 2), utf16(cell)]))),
    ]),
  );
  return Buffer.concat([Buffer.from([0x81]), short(columns.length), ...metadata, ...cells]);
}

/** Passwords are obfuscated: swapped halves and XOR. */
const clear = (bytes: Buffer) =>
  Buffer.from(bytes.map(byte => (((byte ^ 0xa5) << 4) & 0xf0) | ((byte ^ 0xa5) >> 4))).toString('utf16le');

/** Sends the client to another server at the end of its login (MS-TDS 2.2.7.9, ENVCHANGE type 20). */
const routing = ({ host, port }: Route) => {
  const value = Buffer.concat([Buffer.from([0]), short(port), longText(host)]);
  return token(0xe3, Buffer.concat([Buffer.from([20]), short(value.length), value, short(0)]));
};

interface Route {
  readonly host: string;
  readonly port: number;
}

/** Speaks as much TDS as Microsoft SQL Server does for one login and one table. Debian has no package of the real one. */
export async function startSqlServer(login: { user: string; password: string }, route?: Route) {
  const queries: string[] = [];
  let rows: (readonly (string | null)[])[] = [];
  let columns: readonly string[] = [];

  function answer(type: number, body: Buffer): Buffer | undefined {
    if (type === 18) return preLogin();
    if (type === 16) {
      const field = (at: number) =>
        body.subarray(body.readUInt16LE(at), body.readUInt16LE(at) + body.readUInt16LE(at + 2) * 2);
      const right = field(40).toString('utf16le') === login.user && clear(field(44)) === login.password;
      return right
        ? packet(4, Buffer.concat([loginAck(), ...(route ? [routing(route)] : []), done(0xfd)]))
        : packet(4, Buffer.concat([failure(18456, `Login failed for user '${login.user}'.`), done(0xfd)]));
    }
    const text = body.toString('utf16le');
    queries.push(text);
    // The driver's own settings of the session.
    if (!/select top/i.test(text)) return packet(4, done(0xfd));
    if (!text.includes('[dbo].[guests]'))
      return packet(4, Buffer.concat([failure(208, "Invalid object name 'rooms'."), done(0xfd)]));
    const listed = [...text.matchAll(/ as \[((?:[^\]]|\]\])*)\]/g)].map(match => match[1]!.replaceAll(']]', ']'));
    const shown = listed.length ? listed : columns;
    const cells = rows.map(row => shown.map(name => row[columns.indexOf(name)] ?? null));
    return packet(4, Buffer.concat([table(shown, cells), done(type === 3 ? 0xfe : 0xfd)]));
  }

  function serve(socket: Socket): void {
    let waiting = Buffer.alloc(0);
    let message = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', bytes => {
      waiting = Buffer.concat([waiting, bytes as Buffer]);
      while (waiting.length >= 8 && waiting.length >= waiting.readUInt16BE(2)) {
        const size = waiting.readUInt16BE(2);
        const [type, last] = [waiting.readUInt8(0), (waiting.readUInt8(1) & 1) === 1];
        message = Buffer.concat([message, waiting.subarray(8, size)]);
        waiting = waiting.subarray(size);
        if (!last) continue;
        const said = answer(type, message);
        message = Buffer.alloc(0);
        if (said) socket.write(said);
      }
    });
  }

  const server = createServer(serve);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterFile(() => server.close());
  return {
    port: (server.address() as AddressInfo).port,
    queries,
    hold: (names: readonly string[], held: (readonly (string | null)[])[]) => {
      columns = names;
      rows = held;
    },
  };
}
