import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

const header = 12;
const responseFlags = 0x8180;
const noSuchName = 0x8183;
const a = 1;
const txt = 16;
const setRecord = 'set ';

/** The name in the question of a DNS query, and where the question ends (RFC 1035, section 4.1.2). */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = header;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function answerTo(query: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const { name, end } = questionOf(query);
  const value = records.get(name);
  const isAddress = value !== undefined && isIPv4(value);
  // A name that has an address has nothing else.
  const isAnswered = value !== undefined && (!isAddress || query.readUInt16BE(end - 4) === a);
  const head = Buffer.from(query.subarray(0, header));
  head.writeUInt16BE(value === undefined ? noSuchName : responseFlags, 2);
  head.writeUInt16BE(isAnswered ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const question = query.subarray(header, end);
  if (!isAnswered) return Buffer.concat([head, question]);
  const text = Buffer.from(value);
  const data = isAddress ? Buffer.from(value.split('.').map(Number)) : Buffer.concat([Buffer.of(text.length), text]);
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc000 + header, 0);
  record.writeUInt16BE(isAddress ? a : txt, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, question, record, data]);
}

export interface DnsServer {
  /** The address in the form of the setting DNS_SERVERS. */
  readonly address: string;
  readonly records: Map<string, string>;
  close(): void;
}

/** A DNS server on loopback that has TXT records, and IPv4 addresses. Another process adds a record with `addDnsRecord`. */
export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, string>();
  const socket = createSocket('udp4', (message, { port, address }) => {
    const text = message.toString();
    if (text.startsWith(setRecord)) {
      const [name = '', value = ''] = text.slice(setRecord.length).split(' ');
      records.set(name, value);
      socket.send('ok', port, address);
    } else socket.send(answerTo(message, records), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, records, close: () => socket.close() };
}

/** Adds a record to a DNS server of another process. */
export async function addDnsRecord(server: string, name: string, value: string): Promise<void> {
  const [address, port] = server.split(':');
  const socket = createSocket('udp4');
  try {
    socket.send(`${setRecord}${name} ${value}`, Number(port), address);
    await once(socket, 'message');
  } finally {
    socket.close();
  }
}
