import { SocketAddress } from 'node:net';
import { createCache } from '#lib/cache.ts';
import { plainAddress } from '#lib/plain-address.ts';

/** One flow: the bytes from one address to another. Ports are known for IPv6 only, where they tell guest and site apart. */
export interface Flow {
  readonly from: string;
  readonly to: string;
  readonly bytes: number;
  readonly fromPort?: number;
  readonly toPort?: number;
}

interface Field {
  readonly type: number;
  readonly length: number;
}
type Template = readonly Field[];

/** Information elements with the same number in NetFlow v9 (RFC 3954 section 8) and IPFIX (RFC 7012). */
const element = { bytes: 1, fromPort: 7, from: 8, toPort: 11, to: 12, from6: 27, to6: 28 } as const;
const variable = 0xffff;
const maxFields = 100;
const maxFlows = 2000;

export interface NetflowDecoder {
  /** The flows of a packet; never throws. `exporter` separates the templates of different routers. */
  readonly read: (exporter: string, packet: Buffer) => Flow[];
  readonly templates: () => number;
}

/** Decodes the bytes between addresses from NetFlow v5, NetFlow v9 (RFC 3954) and IPFIX (RFC 7011). */
export function createNetflowDecoder(maxTemplates = 5000): NetflowDecoder {
  const templates = createCache<string, Template>({ maxEntries: maxTemplates });

  function readTemplates(set: Buffer, domain: string, withEnterprise: boolean): void {
    for (let at = 0; at + 4 <= set.length; ) {
      const id = set.readUInt16BE(at);
      const count = set.readUInt16BE(at + 2);
      at += 4;
      if (id < 256 || count === 0 || count > maxFields) return;
      const fields: Field[] = [];
      for (let i = 0; i < count; i++) {
        if (at + 4 > set.length) return;
        const type = set.readUInt16BE(at);
        const length = set.readUInt16BE(at + 2);
        const enterprise = withEnterprise && (type & 0x8000) !== 0;
        at += enterprise ? 8 : 4;
        // An element of a vendor is skipped, even if its number equals a standard one.
        fields.push({ type: enterprise ? -1 : type, length });
      }
      if (at > set.length) return;
      templates.set(`${domain} ${id}`, fields);
    }
  }

  function readFlows(set: Buffer, template: Template, take: (flow: Flow) => void): void {
    const shortest = template.reduce((sum, field) => sum + (field.length === variable ? 1 : field.length), 0);
    if (shortest === 0) return;
    // No real packet has more records. The limit stops forged ones from using much time.
    for (let at = 0, records = 0; at + shortest <= set.length && records < maxFlows; records++) {
      let [from, to, bytes, fromPort, toPort]: [string?, string?, number?, number?, number?] = [];
      for (const field of template) {
        let { length } = field;
        if (length === variable) {
          length = set[at] ?? 0;
          at += 1;
          if (length === 255) {
            if (at + 2 > set.length) return;
            length = set.readUInt16BE(at);
            at += 2;
          }
        }
        if (at + length > set.length) return;
        if (field.type === element.from && length === 4) from = addressAt(set, at);
        if (field.type === element.to && length === 4) to = addressAt(set, at);
        if (field.type === element.from6 && length === 16) from = longAddressAt(set, at);
        if (field.type === element.to6 && length === 16) to = longAddressAt(set, at);
        if (field.type === element.fromPort) fromPort = numberAt(set, at, length);
        if (field.type === element.toPort) toPort = numberAt(set, at, length);
        if (field.type === element.bytes) bytes = numberAt(set, at, length);
        at += length;
      }
      if (!from || !to || !bytes) continue;
      if (from.includes(':') && fromPort !== undefined && toPort !== undefined)
        take({ from, to, bytes, fromPort, toPort });
      else take({ from, to, bytes });
    }
  }

  return {
    templates: () => templates.size,
    read(exporter, packet) {
      const version = packet.length >= 16 ? packet.readUInt16BE(0) : 0;
      if (version === 5) return readVersion5(packet);
      if (version !== 9 && version !== 10) return [];
      const [header, sourceAt] = version === 9 ? [20, 16] : [16, 12];
      if (packet.length < header) return [];
      // IPFIX states its length. The bytes after it are ignored.
      const end = version === 10 ? Math.min(packet.length, packet.readUInt16BE(2)) : packet.length;
      const domain = `${exporter} ${version} ${packet.readUInt32BE(sourceAt)}`;
      const flows: Flow[] = [];
      for (let at = header; at + 4 <= end; ) {
        const id = packet.readUInt16BE(at);
        const length = packet.readUInt16BE(at + 2);
        if (length < 4 || at + length > end) break;
        const set = packet.subarray(at + 4, at + length);
        if (id === (version === 9 ? 0 : 2)) readTemplates(set, domain, version === 10);
        const template = id >= 256 ? templates.get(`${domain} ${id}`) : undefined;
        if (template)
          readFlows(set, template, flow => {
            if (flows.length < maxFlows) flows.push(flow);
          });
        at += length;
      }
      return flows;
    },
  };
}

const addressAt = (bytes: Buffer, at: number): string =>
  `${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`;

/** In the short form of RFC 5952, as routers write it in the lines that name the sites. */
function longAddressAt(bytes: Buffer, at: number): string {
  const address = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(at + i * 2).toString(16)).join(':');
  return plainAddress(new SocketAddress({ address, family: 'ipv6' }).address);
}

/** Cisco's version 5, which has no templates: a header of 24 bytes, and at most 30 records of 48 bytes. */
function readVersion5(packet: Buffer): Flow[] {
  const [header, record, maxRecords] = [24, 48, 30];
  if (packet.length < header) return [];
  const count = Math.min(packet.readUInt16BE(2), maxRecords, Math.floor((packet.length - header) / record));
  return Array.from({ length: count }, (_, i) => {
    const at = header + i * record;
    return { from: addressAt(packet, at), to: addressAt(packet, at + 4), bytes: packet.readUInt32BE(at + 20) };
  }).filter(flow => flow.bytes > 0);
}

/** A counter of 1 to 8 bytes; undefined if it is too large to be a count of bytes. */
function numberAt(bytes: Buffer, at: number, length: number): number | undefined {
  if (length < 1 || length > 8) return undefined;
  const value = Number.parseInt(bytes.toString('hex', at, at + length), 16);
  return Number.isSafeInteger(value) && value <= 2 ** 44 ? value : undefined;
}
