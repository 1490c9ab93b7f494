import { execFile, spawnSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { attribute, code, mikrotik, vendor } from './attributes.ts';
import { openClient, type RadiusClient } from './client.ts';
import { encodeReply, integer, text, vendorText } from './encode.ts';
import { decode, type Packet, readInteger, readVendorText } from './packet.ts';
import { isChapAnswer, isSamePassword, revealPassword } from './password.ts';
import { checkMessageAuthenticator, isRequestAuthentic } from './verify.ts';

const secret = Buffer.from('testing123');
const open: { close: () => void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

type Answer = (request: Packet, datagram: Buffer) => Buffer[];

const responder = async (answer: Answer): Promise<{ port: number; received: () => number }> => {
  const socket: Socket = createSocket('udp4');
  let received = 0;
  socket.on('message', (datagram, from) => {
    received += 1;
    const request = decode(datagram);
    if (typeof request === 'string') return;
    for (const reply of answer(request, datagram)) socket.send(reply, from.port, from.address);
  });
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve));
  open.push(socket);
  return { port: socket.address().port, received: () => received };
};

const clientOf = (port: number, more: Partial<Parameters<typeof openClient>[0]> = {}): RadiusClient => {
  const client = openClient({ host: '127.0.0.1', port, secret, ...more });
  open.push(client);
  return client;
};

const server: Answer = request => {
  const reply = (replyCode: number, attributes: Buffer[] = []) => [
    encodeReply(request, { code: replyCode, attributes, secret }),
  ];
  if (request.code === code['Access-Request']) {
    const typed = revealPassword(request, secret);
    const right = typed ? isSamePassword(typed, 'hello') : isChapAnswer(request, 'hello');
    return right && checkMessageAuthenticator(request, secret) !== 'invalid'
      ? reply(code['Access-Accept'], [
          integer(attribute['Session-Timeout'], 3600),
          vendorText(vendor.mikrotik, mikrotik['Rate-Limit'], '2M/8M'),
        ])
      : reply(code['Access-Reject'], [text(attribute['Reply-Message'], 'No')]);
  }
  if (request.code === code['Status-Server']) return reply(code['Access-Accept']);
  if (!isRequestAuthentic(request, secret)) return [];
  if (request.code === code['Accounting-Request']) return reply(code['Accounting-Response']);
  return reply(request.code + 1);
};

const user = text(attribute['User-Name'], 'guest');

describe('client', () => {
  it('signs in with PAP and CHAP', async () => {
    const client = clientOf((await responder(server)).port, { requireMessageAuthenticator: true });
    const send = (more: object) => client.send({ code: code['Access-Request'], attributes: [user], ...more });
    const accepted = await send({ password: 'hello' });
    expect(accepted?.code).toBe(code['Access-Accept']);
    expect(readInteger(accepted as Packet, attribute['Session-Timeout'])).toBe(3600);
    expect(readVendorText(accepted as Packet, vendor.mikrotik, mikrotik['Rate-Limit'])).toBe('2M/8M');
    expect((await send({ chapPassword: 'hello' }))?.code).toBe(code['Access-Accept']);
    expect((await send({ password: 'wrong' }))?.code).toBe(code['Access-Reject']);
    expect((await send({ chapPassword: 'wrong' }))?.code).toBe(code['Access-Reject']);
  });

  it('matches the replies of 1,000 concurrent requests over several sockets', async () => {
    const client = clientOf((await responder(server)).port, { timeoutMs: 500, attempts: 30, sockets: 3 });
    const replies = await Promise.all(
      Array.from({ length: 1000 }, () => client.send({ code: code['Accounting-Request'], attributes: [user] })),
    );
    expect(replies.every(reply => reply?.code === code['Accounting-Response'])).toBe(true);
  });

  it('retransmits the same datagram, then gives up', async () => {
    const seen = new Set<string>();
    const silent = await responder((_, datagram) => {
      seen.add(datagram.toString('hex'));
      return [];
    });
    const client = clientOf(silent.port, { timeoutMs: 30 });
    expect(await client.send({ code: code['Access-Request'], attributes: [user], password: 'x' })).toBeUndefined();
    // The client may give up before the last datagram is read.
    await expect.poll(silent.received).toBe(3);
    expect(seen.size).toBe(1);
  });

  it('ignores replies that do not verify', async () => {
    const other = await responder(request => [
      encodeReply(request, { code: code['Access-Accept'], attributes: [], secret: Buffer.from('forged') }),
      Buffer.alloc(5),
      ...server(request, Buffer.alloc(0)),
    ]);
    const client = clientOf(other.port);
    const reply = await client.send({ code: code['Access-Request'], attributes: [user], password: 'wrong' });
    expect(reply?.code).toBe(code['Access-Reject']);
    expect(client.ignored()).toBe(2);
  });

  it('resolves to undefined when the port or the client is closed', async () => {
    const client = clientOf(1, { timeoutMs: 20 });
    const request = { code: code['Status-Server'], attributes: [] };
    expect(await client.send(request)).toBeUndefined();
    const pending = client.send(request);
    client.close();
    expect(await pending).toBeUndefined();
    expect(await client.send(request)).toBeUndefined();
  });
});

const radclient = (port: number, kind: string, input: string): Promise<string> =>
  new Promise(resolve => {
    const child = execFile(
      'radclient',
      ['-x', '-t', '3', '-r', '5', `127.0.0.1:${port}`, kind, 'testing123'],
      (_, out, err) => resolve(out + err),
    );
    child.stdin?.end(input);
  });

describe.skipIf(spawnSync('radclient', ['-v']).error)('radclient of FreeRADIUS accepts the replies', () => {
  it.each([
    ['auth', 'User-Name=guest,User-Password=hello,Message-Authenticator=0x00', 'Received Access-Accept'],
    ['auth', 'User-Name=guest,CHAP-Password=hello', 'Mikrotik-Rate-Limit = "2M/8M"'],
    ['auth', 'User-Name=guest,User-Password=no', 'Received Access-Reject'],
    ['acct', 'User-Name=guest,Acct-Status-Type=Start,Acct-Session-Id=1', 'Received Accounting-Response'],
    ['disconnect', 'User-Name=guest,Message-Authenticator=0x00', 'Received Disconnect-ACK'],
    ['coa', 'User-Name=guest', 'Received CoA-ACK'],
    ['status', 'Message-Authenticator=0x00', 'Received Access-Accept'],
  ])('%s %s', async (kind, input, expected) => {
    const { port } = await responder(server);
    const output = await radclient(port, kind, input);
    expect(output).toContain(expected);
    expect(output).not.toMatch(/invalid|error/i);
  });
});
