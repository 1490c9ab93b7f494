import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { patience } from '#features/integrations/pms/limited-socket.ts';
import { afterFile } from '../after-file.ts';
import { startApi, type TestApi } from '../harness.ts';

/**
 * The attack: the hotel's database is a server of the attacker's. It answers one query with rows without end, which the driver
 * keeps until the last one. Or it falls silent at a moment that no driver limits.
 */

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await startApi({ INTEGRATIONS_INSIDE: '1' });
  token = (await api.user('tenant-admin')).token;
});

const message = (type: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};
const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const columns = message('T', Buffer.concat([Buffer.from([0, 1]), Buffer.from('a\0'), Buffer.alloc(18)]));
const text = Buffer.alloc(60_000, 'x');
const row = message(
  'D',
  Buffer.concat([Buffer.from([0, 1, 0, 0]), Buffer.from([text.length >> 8, text.length & 255]), text]),
);

async function startServer(speak: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, socket => {
    socket.on('error', () => socket.destroy());
    afterFile(() => void socket.destroy());
    speak(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const tryOut = async (type: string, port: number) => {
  const account = { db_username: 'a', db_password: 'b', db_name: 'c', db_table: 'd' };
  const body = { type, db_host: '127.0.0.1', db_port: port, ...account };
  const { status } = await api.post('panel/integration/test', { token, body });
  return status;
};

test('rows without end are given up', async () => {
  let sent = 0;
  const port = await startServer(socket => {
    let asked = 0;
    socket.on('data', () => {
      asked += 1;
      if (asked === 1) return void socket.write(welcome);
      if (asked > 2) return;
      socket.write(columns);
      const more = () => {
        while (!socket.destroyed && sent < 1e9) {
          sent += row.length;
          if (!socket.write(row)) return void socket.once('drain', more);
        }
      };
      more();
    });
  });
  expect(await tryOut('postgresql', port)).toBe(422);
  expect(sent).toBeGreaterThan(30e6);
  expect(sent, 'far less than the memory').toBeLessThan(5e8);
});

const waitAtMost = (limit: number) => {
  const { ms } = patience;
  patience.ms = limit;
  afterFile(() => {
    patience.ms = ms;
  });
};

test('a server that falls silent after the query, and does not hang up, is given up', async () => {
  waitAtMost(2000);
  const port = await startServer(socket => {
    socket.once('data', () => void socket.write(welcome));
  });
  expect(await tryOut('postgresql', port)).toBe(422);
});

test('a server whose first packet is an error, and that does not hang up, does not end the process later', async () => {
  waitAtMost(600_000);
  const sockets: Socket[] = [];
  const port = await startServer(socket => {
    sockets.push(socket);
    const refusal = Buffer.concat([Buffer.from([0xff, 0x10, 0x04]), Buffer.from('Too many connections')]);
    socket.write(Buffer.concat([Buffer.from([refusal.length, 0, 0, 0]), refusal]));
  });
  expect(await tryOut('mysql', port)).toBe(422);
  // It is closed at once, not by the limit of time, whose error the driver would throw.
  expect(sockets.length).toBeGreaterThan(0);
  await expect.poll(() => sockets.every(it => it.readableEnded || it.destroyed)).toBe(true);
});

test('a server that falls silent before a query without a limit is given up', async () => {
  waitAtMost(2000);
  const port = await startServer(socket => {
    const hello = Buffer.from(
      '0a352e372e3000010000000102030405060708000002ff0200000015000000000000000000000102030405060708090a0b0c006d7973716c5f6e61746976655f70617373776f726400',
      'hex',
    );
    socket.write(Buffer.concat([Buffer.from([hello.length, 0, 0, 0]), hello]));
    socket.once('data', () => void socket.write(Buffer.from([7, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0])));
  });
  expect(await tryOut('mysql', port)).toBe(422);
});
