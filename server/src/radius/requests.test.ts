import {
  acctStatusType,
  attribute,
  chillispot,
  microsoft,
  terminateCause,
  vendor,
  viewPoint,
} from '@portico/radius/attributes.ts';
import {
  address,
  encodeRequest,
  integer,
  newAuthenticator,
  octets,
  text,
  vendorInteger,
  vendorText,
} from '@portico/radius/encode.ts';
import { decode, type Packet } from '@portico/radius/packet.ts';
import { chapAttributes, hidePassword } from '@portico/radius/password.ts';
import { describe, expect, test } from 'vitest';
import {
  readClockSkew,
  readMac,
  readNasAddress,
  readNetworks,
  toAccountingRecord,
  toAuthorizeRequest,
} from './requests.ts';
import { packetOf, packetSecret as secret } from './testing/packet-of.ts';
import type { RadiusDevice } from './types.ts';

const device: RadiusDevice = { id: 'd', tenantId: 't', secret, requireMessageAuthenticator: false };
const receivedAt = new Date('2026-11-28T10:00:00Z');
const origin = { device, sourceIp: '192.0.2.1', receivedAt };
const name = text(attribute['User-Name'], 'elif');
const ipv6 = (hex: string) => Buffer.from(hex, 'hex');
const requestOf = (...attributes: Buffer[]) =>
  toAuthorizeRequest(packetOf([name, ...attributes]), { ...origin, proven: true });

describe('a MAC address', () => {
  const macOf = (value: string) => readMac(packetOf([text(attribute['Calling-Station-Id'], value)]));

  test('is read with colons, hyphens, dots or without separators', () => {
    for (const value of ['aa:bb:cc:00:11:22', 'AA-BB-CC-00-11-22', 'aabb.cc00.1122', 'AABBCC001122'])
      expect(macOf(value), value).toBe('AA:BB:CC:00:11:22');
  });

  test('has twelve digits and nothing before or after them', () => {
    for (const value of [
      'aabbcc00112',
      'aabbcc0011223',
      'xaabbcc001122',
      'aabbcc00112g',
      'aabbcc001122 guest',
      '192.0.2.1',
      '',
    ])
      expect(macOf(value), value).toBeUndefined();
    expect(readMac(packetOf([]))).toBeUndefined();
  });
});

describe('addresses', () => {
  test('a router names its IPv4 address, or else its IPv6 address', () => {
    const v4 = address(attribute['NAS-IP-Address'], '192.0.2.9');
    const v6 = octets(attribute['NAS-IPv6-Address'], ipv6('20010db8000000000000000000000001'));
    expect(readNasAddress(packetOf([v6, v4]))).toBe('192.0.2.9');
    expect(readNasAddress(packetOf([v6]))).toBe('2001:db8:0:0:0:0:0:1');
    expect(readNasAddress(packetOf([octets(attribute['NAS-IPv6-Address'], Buffer.alloc(4))]))).toBeUndefined();
    expect(readNasAddress(packetOf([]))).toBeUndefined();
  });

  test('the IPv4 address of a guest may have the form of an IPv6 address', () => {
    const framed = (hex: string) => octets(attribute['Framed-IPv6-Address'], ipv6(hex));
    const [mapped, other] = ['00000000000000000000ffff0a000007', '20010db8000000000000000000000001'].map(framed);
    expect(requestOf(other!, mapped!)?.framedIp).toBe('10.0.0.7');
    expect(requestOf(mapped!, address(attribute['Framed-IP-Address'], '10.0.0.8'))?.framedIp).toBe('10.0.0.8');
    expect(requestOf(other!)?.framedIp).toBeUndefined();
    // The mapped prefix is no suffix of it.
    expect(requestOf(framed('20010000000000000000ffff0a000007'))?.framedIp).toBeUndefined();
  });

  test('an IPv6 address that belongs to no guest, and a network that is too large, are left out', () => {
    const framed = (hex: string) => octets(attribute['Framed-IPv6-Address'], Buffer.from(hex.padEnd(32, '0'), 'hex'));
    const prefix = (length: number, hex: string) =>
      octets(attribute['Delegated-IPv6-Prefix'], Buffer.from(`00${length.toString(16).padStart(2, '0')}${hex}`, 'hex'));
    const networks = readNetworks(
      packetOf([
        framed('20010db8000000000000000000000005'),
        framed('20010db8000000000000000000000005'),
        // Too short to be an address.
        octets(attribute['Framed-IPv6-Address'], Buffer.alloc(5, 0x20)),
        framed('fe80'),
        framed('ff02'),
        framed('00000000000000000000000000000001'),
        framed('00000000000000000000ffff0a000001'),
        prefix(32, '20010db8'),
        prefix(31, '20010db8'),
      ]),
    );
    expect(networks).toEqual(['2001:db8:0:0:0:0:0:5', '2001:db8:0:0:0:0:0:0/32']);
  });

  test("an address that merely contains an unassigned one is a guest's", () => {
    const read = (hex: string) => readNetworks(packetOf([octets(attribute['Framed-IPv6-Address'], ipv6(hex))]));
    for (const hex of ['20010db80000fe80000000000000ff02', '00000000000000000000000000000010'])
      expect(read(hex), hex).toHaveLength(1);
    expect(read('00000000000000000000000000000000')).toEqual([]);
  });

  test('a packet has at most sixteen networks', () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      octets(attribute['Framed-IPv6-Address'], ipv6(`20010db80000000000000000000000${(n + 16).toString(16)}`)),
    );
    expect(readNetworks(packetOf(many))).toHaveLength(16);
  });

  test('a prefix is read from both of its attributes', () => {
    const bytes = Buffer.concat([Buffer.from([0, 64]), ipv6('20010db800000001')]);
    for (const type of ['Framed-IPv6-Prefix', 'Delegated-IPv6-Prefix'] as const)
      expect(readNetworks(packetOf([octets(attribute[type], bytes)])), type).toEqual(['2001:db8:0:1:0:0:0:0/64']);
  });
});

describe("the sender's clock", () => {
  const seconds = receivedAt.getTime() / 1000;
  const skewOf = (stamp: number, delay?: number) =>
    readClockSkew(
      packetOf([
        integer(attribute['Event-Timestamp'], stamp),
        ...(delay === undefined ? [] : [integer(attribute['Acct-Delay-Time'], delay)]),
      ]),
      receivedAt,
    );

  test('is compared with the time at which the packet was sent first', () => {
    expect(skewOf(seconds + 90)).toBe(90);
    expect(skewOf(seconds - 90)).toBe(-90);
    expect(skewOf(seconds - 90, 60)).toBe(-30);
    expect(readClockSkew(packetOf([]), receivedAt)).toBeUndefined();
    expect(
      readClockSkew(packetOf([integer(attribute['Event-Timestamp'], seconds)]), new Date(receivedAt.getTime() + 600)),
    ).toBe(-1);
  });

  test('is believed for a delay of thirty days at most', () => {
    expect(skewOf(seconds, 31 * 86_400)).toBe(30 * 86_400);
  });

  test('that is far from ours gives the largest number that is kept', () => {
    expect(skewOf(0xffff_ffff)).toBe(2 ** 31 - 1);
    expect(readClockSkew(packetOf([integer(attribute['Event-Timestamp'], 0)]), new Date(2 ** 33 * 1000))).toBe(
      -(2 ** 31),
    );
  });
});

describe('a sign-in', () => {
  const withPassword = (password: string, by = secret): Packet => {
    const authenticator = newAuthenticator();
    const hidden = octets(attribute['User-Password'], hidePassword(password, by, authenticator));
    const packet = decode(encodeRequest({ code: 1, id: 1, secret, authenticator, attributes: [name, hidden] }));
    if (typeof packet === 'string') throw new Error(packet);
    return packet;
  };

  test('needs a user name', () => {
    expect(toAuthorizeRequest(packetOf([]), { ...origin, proven: true })).toBeUndefined();
    expect(
      toAuthorizeRequest(packetOf([text(attribute['User-Name'], '')]), { ...origin, proven: true }),
    ).toBeUndefined();
  });

  test('has the facts of its packet', () => {
    const packet = packetOf([
      name,
      text(attribute['Calling-Station-Id'], 'aabbcc001122'),
      text(attribute['Called-Station-Id'], 'lobby'),
      text(attribute['NAS-Port-Id'], 'wlan1'),
      text(attribute['Acct-Session-Id'], '81'),
      address(attribute['Framed-IP-Address'], '10.0.0.5'),
    ]);
    expect(toAuthorizeRequest(packet, { ...origin, proven: false })).toMatchObject({
      ...origin,
      proven: false,
      key: packet.authenticator.toString('hex'),
      userName: 'elif',
      mac: 'AA:BB:CC:00:11:22',
      framedIp: '10.0.0.5',
      calledStationId: 'lobby',
      nasPortId: 'wlan1',
      sessionId: '81',
    });
  });

  test('with a password is PAP, and only the right one fits', () => {
    const request = toAuthorizeRequest(withPassword('İstanbul 34'), { ...origin, proven: true });
    expect(request).toMatchObject({ method: 'pap', password: 'İstanbul 34' });
    expect([request?.checkPassword('İstanbul 34'), request?.checkPassword('istanbul 34')]).toEqual([true, false]);
  });

  test('with an empty password is PAP too', () => {
    const request = toAuthorizeRequest(withPassword(''), { ...origin, proven: true });
    expect(request).toMatchObject({ method: 'pap', password: '' });
    expect([request?.checkPassword(''), request?.checkPassword('x')]).toEqual([true, false]);
  });

  test('with a CHAP response is CHAP, and only the right password fits', () => {
    const request = requestOf(...chapAttributes('hello'));
    expect(request).toMatchObject({ method: 'chap', password: undefined });
    expect([request?.checkPassword('hello'), request?.checkPassword('hallo')]).toEqual([true, false]);
  });

  test('with EAP or either version of MS-CHAP is not supported', () => {
    expect(requestOf(octets(attribute['EAP-Message'], Buffer.from([2, 1, 0, 4])))?.method).toBe('unsupported');
    for (const [version, type] of Object.entries(microsoft))
      expect(requestOf(vendorText(vendor.microsoft, type, 'answer'))?.method, version).toBe('unsupported');
    expect(requestOf(vendorText(vendor.mikrotik, microsoft['CHAP-Response'], 'answer'))?.method).toBe('none');
  });

  test('without any of them has no method, and no password fits', () => {
    const request = requestOf();
    expect(request).toMatchObject({ method: 'none', password: undefined });
    expect(request?.checkPassword('')).toBe(false);
  });
});

describe('accounting', () => {
  const recordOf = (status: number | undefined, ...attributes: Buffer[]) =>
    toAccountingRecord(
      packetOf([...(status === undefined ? [] : [integer(attribute['Acct-Status-Type'], status)]), ...attributes], {
        kind: 'Accounting-Request',
      }),
      origin,
    );
  const session = text(attribute['Acct-Session-Id'], '81');
  const { Start, Stop, 'Interim-Update': interim } = acctStatusType;

  test('without a status or a session is incomplete, and of a tunnel it is not supported', () => {
    expect(recordOf(undefined, session)).toBe('incomplete');
    expect(recordOf(Start)).toBe('incomplete');
    expect(recordOf(9, session)).toBe('unsupported');
  });

  test('of a restart needs no session', () => {
    const base = { device, sourceIp: '192.0.2.1', at: receivedAt, nasIp: undefined };
    expect(recordOf(acctStatusType['Accounting-On'])).toEqual({ ...base, status: 'on' });
    expect(recordOf(acctStatusType['Accounting-Off'])).toEqual({ ...base, status: 'off' });
  });

  test('happened before the delay that the router names, which is thirty days at most', () => {
    const delay = (seconds: number) => recordOf(Start, session, integer(attribute['Acct-Delay-Time'], seconds));
    expect(delay(90)).toMatchObject({ at: new Date(receivedAt.getTime() - 90_000) });
    expect(delay(90 * 86_400)).toMatchObject({ at: new Date(receivedAt.getTime() - 30 * 86_400_000) });
  });

  test('has the facts of its session', () => {
    const facts = [
      session,
      name,
      text(attribute.Class, 'c1'),
      text(attribute['Calling-Station-Id'], 'aabbcc001122'),
      text(attribute['Called-Station-Id'], 'lobby'),
      text(attribute['NAS-Port-Id'], 'wlan1'),
      address(attribute['Framed-IP-Address'], '10.0.0.5'),
      address(attribute['NAS-IP-Address'], '192.0.2.9'),
      integer(attribute['Acct-Session-Time'], 61),
    ];
    const kept = {
      ...{
        class: 'c1',
        userName: 'elif',
        mac: 'AA:BB:CC:00:11:22',
        framedIp: '10.0.0.5',
        networks: [],
        sessionId: '81',
      },
      ...{ calledStationId: 'lobby', nasPortId: 'wlan1', nasIp: '192.0.2.9', sessionSeconds: 61 },
    };
    expect(recordOf(interim, ...facts)).toMatchObject({ ...kept, status: 'interim', terminateCause: undefined });
    expect(recordOf(Start)).toBe('incomplete');
    expect(recordOf(Start, session)).toMatchObject({
      status: 'start',
      userName: '',
      sessionSeconds: 0,
      uploadBytes: 0,
    });
  });

  test('has a cause at its end only', () => {
    const cause = integer(attribute['Acct-Terminate-Cause'], terminateCause['User-Request']);
    expect(recordOf(Stop, session, cause)).toMatchObject({ status: 'stop', terminateCause: 'User-Request' });
    expect(recordOf(Stop, session)).toMatchObject({ terminateCause: undefined });
    expect(recordOf(interim, session, cause)).toMatchObject({ terminateCause: undefined });
  });

  const traffic = [
    integer(attribute['Acct-Input-Octets'], 100),
    integer(attribute['Acct-Input-Gigawords'], 2),
    integer(attribute['Acct-Output-Octets'], 7),
    integer(attribute['Acct-Output-Gigawords'], 1),
  ];

  test('counts what the guest sent as input, with gigawords', () => {
    expect(recordOf(interim, session, ...traffic)).toMatchObject({
      uploadBytes: 2 * 2 ** 32 + 100,
      downloadBytes: 2 ** 32 + 7,
    });
  });

  test('counts the other way round where CoovaChilli says that it counts as the guest', () => {
    const view = (value: number) => vendorInteger(vendor.chillispot, chillispot['Acct-View-Point'], value);
    const swapped = { uploadBytes: 2 ** 32 + 7, downloadBytes: 2 * 2 ** 32 + 100 };
    expect(recordOf(interim, session, ...traffic, view(viewPoint.Client))).toMatchObject(swapped);
    expect(recordOf(interim, session, ...traffic, view(viewPoint.NAS))).not.toMatchObject(swapped);
  });

  test('counts nothing of a number that no counter reaches', () => {
    const gigawords = (value: number) => recordOf(interim, session, integer(attribute['Acct-Input-Gigawords'], value));
    expect(gigawords(2 ** 21 - 1)).toMatchObject({ uploadBytes: (2 ** 21 - 1) * 2 ** 32 });
    expect(gigawords(2 ** 21)).toMatchObject({ uploadBytes: 0 });
  });
});
