import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { attribute, chillispot, code, mikrotik, vendor, viewPoint, wispr } from '@portico/radius/attributes.ts';
import { encodeRequest, integer, octets, text, vendorInteger } from '@portico/radius/encode.ts';
import {
  decode,
  type Packet,
  readInteger,
  readText,
  readVendorInteger,
  readVendorText,
} from '@portico/radius/packet.ts';
import { hidePassword } from '@portico/radius/password.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { kernelDrops } from '#lib/kernel-drops.ts';
import { freePort } from '#test/process.ts';
import { type Fixture, fixtureSecret, startFixture } from './fixture.ts';
import { reservation } from './socket.ts';
import type { SessionRecord } from './types.ts';

let fixture: Fixture;
afterEach(async () => {
  vi.useRealTimers();
  await fixture?.close();
});

const nas = text(attribute['NAS-Identifier'], 'nas00001');
const user = text(attribute['User-Name'], 'guest');
const mac = text(attribute['Calling-Station-Id'], 'aa-bb-cc-dd-ee-0f');
const signIn = { code: code['Access-Request'], attributes: [nas, user, mac], password: 'hello' };
const accounting = (status: number, ...more: Buffer[]) => ({
  code: code['Accounting-Request'],
  attributes: [
    nas,
    user,
    integer(attribute['Acct-Status-Type'], status),
    text(attribute['Acct-Session-Id'], '80a1'),
    ...more,
  ],
});

describe('sign-in', () => {
  it('replies with the limits as standard, MikroTik and WISPr attributes', async () => {
    fixture = await startFixture();
    const reply = (await fixture.client('auth', { requireMessageAuthenticator: true }).send(signIn)) as Packet;
    expect(reply.code).toBe(code['Access-Accept']);
    expect(reply.fields[0]).toBe(attribute['Message-Authenticator']);
    expect(readInteger(reply, attribute['Session-Timeout'])).toBe(3600);
    expect(readInteger(reply, attribute['Idle-Timeout'])).toBe(600);
    expect(readInteger(reply, attribute['Acct-Interim-Interval'])).toBe(300);
    expect(readText(reply, attribute.Class)).toBe('c1a55');
    expect(readVendorText(reply, vendor.mikrotik, mikrotik['Rate-Limit'])).toBe('2M/8192k');
    expect(readVendorInteger(reply, vendor.wispr, wispr['Bandwidth-Max-Up'])).toBe(2_000_000);
    expect(readVendorInteger(reply, vendor.wispr, wispr['Bandwidth-Max-Down'])).toBe(8_192_000);
    expect(readVendorInteger(reply, vendor.mikrotik, mikrotik['Total-Limit'])).toBe(7);
    expect(readVendorInteger(reply, vendor.chillispot, chillispot['Max-Total-Octets'])).toBe(7);
    expect(readVendorInteger(reply, vendor.mikrotik, mikrotik['Total-Limit-Gigawords'])).toBe(5);
    expect(fixture.requests[0]).toMatchObject({
      userName: 'guest',
      method: 'pap',
      password: 'hello',
      mac: 'AA:BB:CC:DD:EE:0F',
    });
    expect(fixture.requests[0]?.device.id).toBe('d1');
  });

  it('answers, and tells that the device was seen, when the clock is set back or ahead', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    fixture = await startFixture({}, { seenEveryMs: 0 });
    // A packet that is sent again is another one that was seen.
    const patient = { timeoutMs: 20_000 };
    const [auth, acct] = [fixture.client('auth', patient), fixture.client('acct', patient)];
    const ask = async () => [(await auth.send(signIn))?.code, (await acct.send(accounting(3, mac)))?.code];
    const answered = [code['Access-Accept'], code['Accounting-Response']];
    const seen = () => fixture.seen.filter(it => it.facts.kind === 'acct').length;
    expect(await ask()).toEqual(answered);
    for (const hours of [-1, 1]) {
      const before = seen();
      vi.setSystemTime(Date.now() + hours * 3_600_000);
      expect(await ask()).toEqual(answered);
      expect(seen()).toBe(before + 1);
    }
  });

  it('checks PAP and CHAP, and replies with the reason of a refusal', async () => {
    fixture = await startFixture();
    const client = fixture.client('auth');
    const chap = await client.send({ code: signIn.code, attributes: signIn.attributes, chapPassword: 'hello' });
    expect(chap?.code).toBe(code['Access-Accept']);
    expect(fixture.requests[0]?.method).toBe('chap');
    const wrong = (await client.send({ ...signIn, password: 'no' })) as Packet;
    expect(wrong.code).toBe(code['Access-Reject']);
    expect(readText(wrong, attribute['Reply-Message'])).toBe('Yanlış parola');
    const none = await client.send({ code: signIn.code, attributes: signIn.attributes });
    expect(none?.code).toBe(code['Access-Reject']);
  });

  it('lets only its own request wait for a decision that takes longer, and sends it once', async () => {
    const checked = Promise.withResolvers<void>();
    const accept = { outcome: 'accept', idleTimeoutSeconds: 600, interimIntervalSeconds: 300 } as const;
    const late = async () => {
      await checked.promise;
      return accept;
    };
    const asked: string[] = [];
    fixture = await startFixture({
      authorize: async batch => {
        asked.push(...batch.map(it => it.userName));
        return batch.map(it =>
          it.userName === 'slow' ? late() : it.userName === 'broken' ? Promise.reject(new Error('away')) : accept,
        );
      },
    });
    const as = (name: string) => ({ ...signIn, attributes: [nas, text(attribute['User-Name'], name), mac] });
    const client = fixture.client('auth', { attempts: 20 });
    const slow = client.send(as('slow'));
    expect((await client.send(as('quick')))?.code).toBe(code['Access-Accept']);
    expect(await fixture.client('auth', { attempts: 1 }).send(as('broken'))).toBeUndefined();
    expect(fixture.failures).toHaveLength(1);
    checked.resolve();
    expect((await slow)?.code).toBe(code['Access-Accept']);
    // The router has repeated the request meanwhile. The copy is not checked again.
    expect(asked.filter(it => it === 'slow')).toHaveLength(1);
  });

  it('verifies each device with its own secret', async () => {
    fixture = await startFixture();
    const other = { ...signIn, attributes: [text(attribute['NAS-Identifier'], 'nas00002'), user] };
    expect(await fixture.client('auth', { attempts: 1 }).send(other)).toBeUndefined();
    expect(fixture.counted('radius_dropped_total', { reason: 'wrong_message_authenticator' })).toBe(1);
    const reply = await fixture.client('auth', { secret: Buffer.from('another') }).send(other);
    expect(reply?.code).toBe(code['Access-Accept']);
  });

  it('requires Message-Authenticator of a device that once sent it', async () => {
    fixture = await startFixture();
    const authenticator = Buffer.alloc(16, 9);
    const password = octets(attribute['User-Password'], hidePassword('hello', fixtureSecret, authenticator));
    const full = encodeRequest({
      code: 1,
      id: 1,
      authenticator,
      secret: fixtureSecret,
      attributes: [nas, user, password],
    });
    const bare = (id: number): Buffer => {
      const made = Buffer.concat([full.subarray(0, 20), full.subarray(38)]);
      made[1] = id;
      made.writeUInt16BE(made.length, 2);
      return made;
    };
    expect(await fixture.raw('auth', [bare(2)])).toHaveLength(1);
    expect(fixture.learned).toEqual([]);
    // The sender is not proven, so its address is not recorded as the device's.
    expect(fixture.seen).toEqual([]);
    expect(await fixture.raw('auth', [full])).toHaveLength(1);
    expect(fixture.learned).toEqual(['d1']);
    expect(await fixture.raw('auth', [bare(3)])).toHaveLength(0);
    fixture.listener.forgetDevice('nas00001');
    expect(await fixture.raw('auth', [bare(4)])).toHaveLength(0);
    expect(fixture.counted('radius_dropped_total', { reason: 'no_message_authenticator' })).toBe(2);
  });
});

describe('accounting', () => {
  it('turns the byte counts of a gateway round that counts as its guests do', async () => {
    fixture = await startFixture();
    const bytes = [integer(attribute['Acct-Input-Octets'], 5), integer(attribute['Acct-Output-Octets'], 6)];
    for (const side of [viewPoint.NAS, viewPoint.Client])
      await fixture
        .client('acct')
        .send(accounting(2, mac, ...bytes, vendorInteger(vendor.chillispot, chillispot['Acct-View-Point'], side)));
    expect(fixture.records.map(it => [(it as SessionRecord).uploadBytes, (it as SessionRecord).downloadBytes])).toEqual(
      [
        [5, 6],
        [6, 5],
      ],
    );
  });

  it('reads byte counts beyond 4 GB, subtracts the delay and reads the cause', async () => {
    fixture = await startFixture();
    const before = Date.now();
    const reply = await fixture
      .client('acct')
      .send(
        accounting(
          2,
          mac,
          integer(attribute['Acct-Input-Octets'], 5),
          integer(attribute['Acct-Input-Gigawords'], 3),
          integer(attribute['Acct-Output-Octets'], 6),
          integer(attribute['Acct-Output-Gigawords'], 4_000_000_000),
          integer(attribute['Acct-Session-Time'], 77),
          integer(attribute['Acct-Delay-Time'], 60),
          integer(attribute['Acct-Terminate-Cause'], 5),
          text(attribute.Class, 'c1a55'),
        ),
      );
    expect(reply?.code).toBe(code['Accounting-Response']);
    const record = fixture.records[0] as SessionRecord;
    expect(record).toMatchObject({
      status: 'stop',
      sessionId: '80a1',
      class: 'c1a55',
      mac: 'AA:BB:CC:DD:EE:0F',
      uploadBytes: 3 * 2 ** 32 + 5,
      downloadBytes: 0,
      sessionSeconds: 77,
      terminateCause: 'Session-Timeout',
    });
    expect(record.at.getTime()).toBeGreaterThanOrEqual(before - 60_000);
    expect(record.at.getTime()).toBeLessThanOrEqual(Date.now() - 60_000);
    expect(fixture.seen).toMatchObject([{ deviceId: 'd1', facts: { sourceIp: '127.0.0.1', kind: 'acct' } }]);
  });

  it('handles On and Off, acknowledges other statuses and drops packets without a session', async () => {
    fixture = await startFixture();
    const client = fixture.client('acct', { attempts: 1 });
    expect(await client.send(accounting(7))).toBeDefined();
    expect(await client.send(accounting(8))).toBeDefined();
    expect(await client.send(accounting(9))).toBeDefined();
    expect(fixture.records.map(record => record.status)).toEqual(['on', 'off']);
    const nameless = { code: code['Accounting-Request'], attributes: [nas, integer(attribute['Acct-Status-Type'], 1)] };
    expect(await client.send(nameless)).toBeUndefined();
    expect(fixture.counted('radius_dropped_total', { reason: 'incomplete' })).toBe(1);
  });

  it('acknowledges after the commit of the batch, and sends no reply when the commit fails', async () => {
    let away = true;
    let kept = 0;
    fixture = await startFixture({
      account: async batch => {
        await new Promise(resolve => setTimeout(resolve, 20));
        if (away) throw new Error('database away');
        kept += batch.length;
      },
    });
    const client = fixture.client('acct', { timeoutMs: 150, attempts: 60 });
    const pending = client.send(accounting(3)).then(reply => ({ reply, kept }));
    await expect.poll(() => fixture.counted('radius_dropped_total', { reason: 'batch_failed' })).toBeGreaterThan(0);
    expect(fixture.counted('radius_replies_total')).toBe(0);
    away = false;
    expect(await pending).toMatchObject({ kept: 1, reply: { code: code['Accounting-Response'] } });
    expect(fixture.failures[0]).toBe('account: database away');
  });

  it('limits the size of batches', async () => {
    fixture = await startFixture({}, { batchSize: 50 });
    const client = fixture.client('acct', { timeoutMs: 500, attempts: 30 });
    const replies = await Promise.all(Array.from({ length: 400 }, () => client.send(accounting(3))));
    expect(replies.every(Boolean)).toBe(true);
    expect(Math.max(...fixture.batches)).toBeLessThanOrEqual(50);
    expect(fixture.batches.length).toBeLessThan(200);
    expect(fixture.records).toHaveLength(400);
  });
});

describe('Status-Server (RFC 5997)', () => {
  it('is answered on both ports', async () => {
    fixture = await startFixture();
    const status = { code: code['Status-Server'], attributes: [nas] };
    expect((await fixture.client('auth').send(status))?.code).toBe(code['Access-Accept']);
    expect((await fixture.client('acct').send(status))?.code).toBe(code['Accounting-Response']);
  });
});

describe('the ports', () => {
  it('are refused when they are in use', async () => {
    fixture = await startFixture();
    const ports = { authPort: fixture.listener.authPort, acctPort: fixture.listener.acctPort };
    await expect(startFixture({}, ports)).rejects.toThrow(/EADDRINUSE/);
  });

  it.runIf(process.platform === 'linux')('are refused while another process is binding them', async () => {
    const [authPort, acctPort] = [await freePort(), await freePort()];
    // The other process has found them free, and has not bound its sockets yet.
    const other = createServer().listen(reservation(acctPort, '127.0.0.1'));
    await once(other, 'listening');
    await expect(startFixture({}, { authPort, acctPort })).rejects.toMatchObject({ port: acctPort });
    other.close();
    await once(other, 'close');
    fixture = await startFixture({}, { authPort, acctPort });
    expect(fixture.listener.acctPort).toBe(acctPort);
  });

  it.runIf(process.platform === 'linux')('hold a rush of many routers while the process is busy', async () => {
    // The capacity of one socket: the kernel counts a small datagram as 768 bytes, and doubles the size that was asked for.
    const limit = Number(readFileSync('/proc/sys/net/core/rmem_max', 'utf8'));
    const rush = 2 * Math.floor((2 * Math.min(limit, 4 << 20)) / 768);
    fixture = await startFixture();
    // This thread waits for the child, so that it reads nothing meanwhile.
    const script = fileURLToPath(new URL('./testing/rush.ts', import.meta.url));
    execFileSync(process.execPath, [script, String(fixture.listener.acctPort), String(rush)], { stdio: 'inherit' });
    await vi.waitFor(() => expect(fixture.counted('radius_packets_total', { listener: 'acct' })).toBe(rush), 30_000);
    expect(await kernelDrops(fixture.listener.acctPort)).toBe(0);
  });
});

describe.skipIf(spawnSync('radclient', ['-v']).error)("FreeRADIUS's radclient", () => {
  const radclient = (port: number, kind: string, input: string): Promise<string> =>
    new Promise(resolve => {
      const child = execFile(
        'radclient',
        ['-x', '-t', '1', '-r', '2', `127.0.0.1:${port}`, kind, 'testing123'],
        (_, out, err) => resolve(out + err),
      );
      child.stdin?.end(input);
    });

  it.each([
    ['auth', 'User-Name=guest,User-Password=hello', 'Received Access-Accept'],
    ['auth', 'User-Name=guest,CHAP-Password=hello,Message-Authenticator=0x00', 'Mikrotik-Rate-Limit = "2M/8192k"'],
    ['auth', 'User-Name=guest,User-Password=wrong', 'Reply-Message = "Yanlış parola"'],
    ['acct', 'Acct-Status-Type=Start,Acct-Session-Id=1,User-Name=guest', 'Received Accounting-Response'],
    ['acct', 'Acct-Status-Type=Accounting-On', 'Received Accounting-Response'],
    ['status', 'Message-Authenticator=0x00', 'Received Access-Accept'],
  ])('%s %s', async (kind, input, expected) => {
    fixture = await startFixture();
    const port = kind === 'acct' ? fixture.listener.acctPort : fixture.listener.authPort;
    const output = await radclient(port, kind, `${input},NAS-Identifier=nas00001`);
    expect(output).toContain(expected);
    expect(output).not.toMatch(/invalid|No reply/i);
  });
});

it('decodes its own replies', async () => {
  fixture = await startFixture();
  const request = encodeRequest({ code: 4, id: 9, secret: fixtureSecret, attributes: accounting(1).attributes });
  const [first] = await fixture.raw('acct', [request]);
  expect(decode(first as Buffer)).toMatchObject({ code: code['Accounting-Response'], id: 9 });
});

describe('IPv6', () => {
  it('both families reach one socket; an IPv4 sender stays an IPv4 address', async () => {
    fixture = await startFixture({}, { host: '::' });
    for (const host of ['127.0.0.1', '::1'])
      expect((await fixture.client('auth', { host }).send(signIn))?.code).toBe(code['Access-Accept']);
    expect(fixture.requests.map(it => it.sourceIp)).toEqual(['127.0.0.1', '::1']);
  });
});
