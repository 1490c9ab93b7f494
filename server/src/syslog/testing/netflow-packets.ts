const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap(value => [value >> 8, value & 255]));
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const address = (text: string): Buffer => Buffer.from(text.split('.').map(Number));
const set = (id: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u16(id, body.length + 4), body]);
};

/** The fields that RouterOS sends: addresses, protocol, ports, and counters of 4 bytes. */
export const fields: readonly (readonly [type: number, length: number])[] = [
  [8, 4],
  [12, 4],
  [4, 1],
  [7, 2],
  [11, 2],
  [1, 4],
  [2, 4],
];

/** A record with these fields. */
export const flow = (from: string, to: string, bytes: number): Buffer =>
  Buffer.concat([address(from), address(to), Buffer.from([17]), u16(50_000, 443), u32(bytes), u32(3)]);

/** A packet of NetFlow v9 (RFC 3954 section 5) with a template, flows, or both. */
export function v9(
  parts: { template?: readonly (readonly [number, number])[]; flows?: readonly Buffer[] },
  id = 256,
): Buffer {
  const { template, flows } = parts;
  return Buffer.concat([
    u16(9, 1),
    u32(1000),
    u32(1_790_000_000),
    u32(1),
    u32(0),
    ...(template ? [set(0, u16(id, template.length), ...template.map(each => u16(...each)))] : []),
    ...(flows ? [set(id, ...flows, Buffer.alloc(3))] : []),
  ]);
}

/** A message of IPFIX (RFC 7011 section 3) whose template holds a vendor's element and one of variable length. */
export function ipfix(flows: readonly { from: string; to: string; bytes: bigint; name: string }[]): Buffer {
  const vendor = Buffer.concat([u16(0x8001, 4), u32(14_988)]);
  const template = set(2, u16(300, 5), vendor, u16(8, 4, 12, 4, 96, 0xffff, 1, 8));
  const records = flows.map(({ from, to, bytes, name }) => {
    const count = Buffer.alloc(8);
    count.writeBigUInt64BE(bytes);
    const length =
      name.length < 255 ? Buffer.from([name.length]) : Buffer.concat([Buffer.from([255]), u16(name.length)]);
    return Buffer.concat([u32(7), address(from), address(to), length, Buffer.from(name), count]);
  });
  const body = Buffer.concat([template, set(300, ...records)]);
  return Buffer.concat([u16(10, body.length + 16), u32(1_790_000_000), u32(1), u32(5), body]);
}
