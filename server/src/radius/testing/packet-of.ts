import { code } from '@portico/radius/attributes.ts';
import { encodeRequest } from '@portico/radius/encode.ts';
import { decode, type Packet } from '@portico/radius/packet.ts';

export const packetSecret = Buffer.from('testing123');

/** A signed request with these attributes, as the listener reads it. */
export function packetOf(
  attributes: readonly Buffer[],
  { kind = 'Access-Request', by = packetSecret }: { kind?: keyof typeof code; by?: Buffer } = {},
): Packet {
  const packet = decode(encodeRequest({ code: code[kind], id: 1, secret: by, attributes }));
  if (typeof packet === 'string') throw new Error(packet);
  return packet;
}
