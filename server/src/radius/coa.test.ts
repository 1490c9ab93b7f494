import { createSocket, type Socket } from 'node:dgram';
import { attribute, code, errorCause, mikrotik, vendor } from '@portico/radius/attributes.ts';
import { encodeReply, integer } from '@portico/radius/encode.ts';
import { decode, type Packet, readAddress, readInteger, readText, readVendorText } from '@portico/radius/packet.ts';
import { checkMessageAuthenticator, isRequestAuthentic } from '@portico/radius/verify.ts';
import { afterEach, expect, it } from 'vitest';
import { changeSessionLimits, disconnectSession } from './coa.ts';

const secret = Buffer.from('router secret');
let socket: Socket | undefined;
afterEach(() => {
  socket?.close();
  socket = undefined;
});

const router = async (answer: (request: Packet) => Buffer | undefined) => {
  const requests: Packet[] = [];
  const opened = createSocket('udp4');
  socket = opened;
  opened.on('message', (datagram, from) => {
    const request = decode(datagram);
    if (typeof request === 'string') return;
    requests.push(request);
    const reply = answer(request);
    if (reply) opened.send(reply, from.port, from.address);
  });
  await new Promise<void>(resolve => opened.bind(0, '127.0.0.1', resolve));
  return { requests, address: { host: '127.0.0.1', port: opened.address().port, secret, timeoutMs: 500 } };
};

const session = { userName: 'guest', framedIp: '10.5.50.9', sessionId: '80a1' };
const answerWith =
  (replyCode: number, attributes: Buffer[] = []) =>
  (request: Packet) =>
    encodeReply(request, { code: replyCode, attributes, secret });

it('ends a session', async () => {
  const { requests, address } = await router(answerWith(code['Disconnect-ACK']));
  const seconds = () => Math.floor(Date.now() / 1000);
  const before = seconds();
  expect(await disconnectSession(address, session)).toEqual({ outcome: 'acknowledged' });
  const after = seconds();
  const request = requests[0] as Packet;
  expect(isRequestAuthentic(request, secret)).toBe(true);
  expect(checkMessageAuthenticator(request, secret)).toBe('valid');
  expect(readText(request, attribute['User-Name'])).toBe('guest');
  expect(readAddress(request, attribute['Framed-IP-Address'])).toBe('10.5.50.9');
  expect(readText(request, attribute['Acct-Session-Id'])).toBe('80a1');
  const stamp = readInteger(request, attribute['Event-Timestamp']) as number;
  expect([stamp >= before, stamp <= after]).toEqual([true, true]);
});

it('changes the limits of a session', async () => {
  const { requests, address } = await router(answerWith(code['CoA-ACK']));
  const limits = { uploadBps: 1e6, downloadBps: 2e6, idleTimeoutSeconds: 900, interimIntervalSeconds: 60 };
  expect(await changeSessionLimits(address, session, limits)).toEqual({ outcome: 'acknowledged' });
  const request = requests[0] as Packet;
  expect(readVendorText(request, vendor.mikrotik, mikrotik['Rate-Limit'])).toBe('1M/2M');
  // CoovaChilli forgets what a request leaves out.
  expect(readInteger(request, attribute['Idle-Timeout'])).toBe(900);
  expect(readInteger(request, attribute['Acct-Interim-Interval'])).toBe(60);
});

it('returns the reason of a refusal', async () => {
  const cause = integer(attribute['Error-Cause'], errorCause['Session-Context-Not-Found']);
  const { address } = await router(answerWith(code['Disconnect-NAK'], [cause]));
  expect(await disconnectSession(address, session)).toEqual({
    outcome: 'refused',
    errorCause: 'Session-Context-Not-Found',
  });
});

it('sends the request three times and then reports no answer', async () => {
  const { requests, address } = await router(() => undefined);
  expect(await disconnectSession(address, session)).toEqual({ outcome: 'no-answer' });
  // The last one may not be read yet.
  await expect.poll(() => requests).toHaveLength(3);
});

it('ignores a reply made with another secret', async () => {
  const { address } = await router(request =>
    encodeReply(request, { code: code['Disconnect-ACK'], attributes: [], secret: Buffer.from('other') }),
  );
  expect(await disconnectSession(address, session)).toEqual({ outcome: 'no-answer' });
});

it('reports no answer for an invalid address', async () => {
  const address = { host: 'no.such.host.invalid', secret, timeoutMs: 20 };
  expect(await disconnectSession(address, { ...session, framedIp: '::1' })).toEqual({ outcome: 'no-answer' });
});
