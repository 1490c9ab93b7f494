import { attribute, vendor } from '@portico/radius/attributes.ts';
import { address, encodeReply, encodeRequest, integer, octets, text, vendorText } from '@portico/radius/encode.ts';
import { decode, readAll, readVendorInteger, readVendorText } from '@portico/radius/packet.ts';
import { hidePassword } from '@portico/radius/password.ts';
import { checkMessageAuthenticator, isReplyAuthentic, isRequestAuthentic } from '@portico/radius/verify.ts';
import { createPacketStream } from '#radius/packet-stream.ts';
import { readClockSkew, toAccountingRecord, toAuthorizeRequest } from '#radius/requests.ts';
import { encodeSentence, sentenceReader } from '#routers/mikrotik/api-words.ts';
import { RouterError } from '#routers/router-control.ts';
import { createFramer } from '#syslog/framing.ts';
import { createNetflowDecoder } from '#syslog/netflow.ts';
import type { Target } from './target.ts';

const secret = Buffer.from('a secret of the device');
const authenticator = Buffer.alloc(16, 5);
const requests = [1, 4, 12, 40, 43].map(code =>
  encodeRequest({
    code,
    id: 3,
    authenticator,
    secret,
    attributes: [
      text(attribute['User-Name'], 'guest'),
      octets(attribute['User-Password'], hidePassword('s3cret', secret, authenticator)),
      octets(attribute['CHAP-Password'], Buffer.alloc(17, 1)),
      text(attribute['Calling-Station-Id'], 'A0:00:00:00:00:01'),
      text(attribute['Acct-Session-Id'], '8000001'),
      address(attribute['Framed-IP-Address'], '10.5.50.9'),
      integer(attribute['Acct-Status-Type'], (code % 3) + 1),
      integer(attribute['Event-Timestamp'], 1_790_000_000),
      integer(attribute['Acct-Input-Octets'], 77),
      integer(attribute['Acct-Input-Gigawords'], 2),
      vendorText(vendor.mikrotik, 8, '1M/1M'),
    ],
  }),
);
const device = { id: '2', tenantId: '1', secret, requireMessageAuthenticator: false };

/** Corrects the length of half of the inputs, because other lengths are refused at once. */
function sized(input: Buffer): Buffer {
  if (input.length > 4 && (input[0] ?? 0) % 2 === 0) input.writeUInt16BE(Math.min(input.length, 65_535), 2);
  return input;
}

function runRadius(input: Buffer): void {
  const packet = decode(sized(input));
  if (typeof packet === 'string') return;
  checkMessageAuthenticator(packet, secret);
  isRequestAuthentic(packet, secret);
  isReplyAuthentic(packet, { id: 3, authenticator }, secret);
  readAll(packet, 26);
  readVendorText(packet, vendor.mikrotik, 8);
  readVendorInteger(packet, vendor.wispr, 7);
  const receivedAt = new Date(1_790_000_000_000);
  const origin = { device, sourceIp: '10.0.0.1', receivedAt };
  readClockSkew(packet, receivedAt);
  toAuthorizeRequest(packet, { ...origin, proven: true })?.checkPassword('s3cret');
  const record = toAccountingRecord(packet, origin);
  if (typeof record === 'object') JSON.stringify({ ...record, at: record.at.toISOString() });
  encodeReply(packet, { code: 3, secret, attributes: [] });
}

/** Splits the input into pieces, at positions that its own bytes determine. */
function* pieces(input: Buffer): Generator<Buffer> {
  const step = 1 + (input[input.length - 1] ?? 0);
  for (let at = 0; at < input.length; at += step) yield Buffer.from(input.subarray(at, at + step));
}

function runRadsec(input: Buffer): void {
  let taken = 0;
  const stream = createPacketStream(packet => {
    taken += packet.length;
    decode(packet);
    if (packet.length < 20 || packet.length > 4096) throw new Error(`a packet of ${packet.length} bytes`);
  });
  for (const piece of pieces(input)) {
    if (!stream.push(piece)) return;
    if (stream.held() > 4096) throw new Error(`${stream.held()} bytes are held`);
  }
  if (taken + stream.held() !== input.length) throw new Error('bytes were lost');
}

function runFramer(input: Buffer): void {
  let taken = 0;
  const framer = createFramer(300, message => {
    taken += message.length;
    if (message.length > 300) throw new Error(`a message of ${message.length} bytes`);
  });
  for (const piece of pieces(input)) framer.push(piece);
  framer.end();
  if (taken > input.length) throw new Error('more came out than went in');
}

const decoder = createNetflowDecoder(50);
function runNetflow(input: Buffer): void {
  const flows = decoder.read('10.0.0.1', input);
  if (flows.length > 2000 || decoder.templates() > 50) throw new Error('unbounded');
  for (const { bytes } of flows) if (!Number.isSafeInteger(bytes)) throw new Error(`${bytes} bytes`);
}

function runRouterOs(input: Buffer): void {
  const read = sentenceReader();
  try {
    for (const piece of pieces(input)) read(piece);
  } catch (error) {
    if (!(error instanceof RouterError)) throw error;
  }
}

const hex = (...lines: string[]): Buffer => Buffer.from(lines.join('').replaceAll(' ', ''), 'hex');
const netflow9 = hex(
  '0009 0002 0000 1000 6700 0000 0000 0001 0000 0000',
  '0000 0014 0100 0003 0008 0004 000c 0004 0001 0004',
  '0100 0010 0a05 3214 c633 6409 0000 1000',
);
const ipfix = hex(
  '000a 0038 6700 0000 0000 0001 0000 0000',
  '0002 0018 0100 0004 0008 0004 000c 0004 0001 0008 8001 ffff 0000 1234',
  '0100 0010 0a05 3214 c633 6409 0000 1000',
);
const lines = [
  '<134>Oct 21 09:30:00 abcdefgh forward: in:guest out:wan, proto TCP (SYN), 10.5.50.20:1->198.51.100.9:443, len 52',
  '<30>1 2026-10-21T09:30:00Z abcdefgh dhcp - - - assigned 10.5.50.20',
];
const bytes = (...words: string[]): Buffer[] => words.map(word => Buffer.from(word, 'latin1'));

export const byteTargets: readonly Target[] = [
  {
    ...{ name: 'radius', longest: 4200, seeds: requests, run: runRadius },
    words: [
      hex('5012', '00'.repeat(16)),
      hex('1a0e000037140808'),
      hex('0606000000ff'),
      hex('2806 0000 0003'),
      hex('1fff'),
    ],
  },
  {
    ...{ name: 'radsec', longest: 9000, run: runRadsec, words: [hex('0100 0014'), hex('0400 1000'), hex('0c00 0013')] },
    seeds: [Buffer.concat(requests), Buffer.concat([requests[0]!, requests[0]!.subarray(0, 30)]), requests[3]!],
  },
  {
    ...{ name: 'syslog-framing', longest: 2000, run: runFramer },
    seeds: [
      ...lines.map(line => `${line}\n`),
      lines.map(line => `${line.length} ${line}`).join(''),
      lines.join(''),
    ].map(line => Buffer.from(line, 'latin1')),
    words: bytes(
      '\n',
      '<134>Oct 21 09:30:00 ',
      '<1>2026-10-21T09:30:00',
      '12 <',
      '9999999 <',
      '0 <',
      '300 <1>',
      '301 <1>',
    ),
  },
  {
    ...{ name: 'netflow', longest: 1500, run: runNetflow, seeds: [netflow9, ipfix] },
    words: [hex('0000 0014 0100 0003'), hex('0002 0018'), hex('ffff'), hex('0100 0010'), hex('8001 0004 0000 1234')],
  },
  {
    ...{ name: 'routeros-api', longest: 2000, run: runRouterOs },
    seeds: [
      encodeSentence(['!re', '=.id=*1', '=name=lobby']),
      Buffer.concat([encodeSentence(['!done']), encodeSentence(['!trap', `=message=${'x'.repeat(300)}`])]),
    ],
    words: [
      hex('80'),
      hex('c0'),
      hex('e0ffffff'),
      hex('f0ffffffff'),
      hex('ff'),
      hex('00'),
      ...bytes('!re', '!fatal', '=ret='),
    ],
  },
];
