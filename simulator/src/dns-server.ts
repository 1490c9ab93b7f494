import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const header = 12;
const responseFlags = 0x8180;
const noSuchName = 0x8183;
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
  const head = Buffer.from(query.subarray(0, header));
  head.writeUInt16BE(value === undefined ? noSuchName : responseFlags, 2);
  head.writeUInt16BE(value === undefined ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  const question = query.subarray(header, end);
  if (value === undefined) return Buffer.concat([head, question]);
  const data = Buffer.from(value);
  const record = Buffer.alloc(13);
  record.writeUInt16BE(0xc000 + header, 0);
  record.writeUInt16BE(txt, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length + 1, 10);
  record.writeUInt8(data.length, 12);
  return Buffer.concat([head, question, record, data]);
}

export interface DnsServer {
  /** As the setting DNS_SERVERS takes it. */
  readonly address: string;
  readonly records: Map<string, string>;
  close(): void;
}

/** A DNS server on loopback that has TXT records only. Another process adds a record with `addDnsRecord`. */
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
