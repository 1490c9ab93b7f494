import { longestPacket, shortestPacket } from '@portico/radius/packet.ts';

export interface PacketStream {
  /** Adds received bytes. False when a length is invalid, because no later packet can be found then. */
  readonly push: (chunk: Buffer) => boolean;
  /** Number of bytes of an incomplete packet. */
  readonly held: () => number;
}

const head = 4;

/** Splits a byte stream into packets by their Length field (RFC 6613 section 2.6.4). */
export function createPacketStream(take: (packet: Buffer) => void): PacketStream {
  let pieces: Buffer[] = [];
  let held = 0;
  /** Bytes needed next: the header, then the whole packet. */
  let wanted = head;

  return {
    push(chunk) {
      pieces.push(chunk);
      held += chunk.length;
      // Joining once per packet instead of once per piece keeps the cost linear when single bytes arrive.
      while (held >= wanted) {
        const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
        pieces = [bytes];
        if (wanted === head) {
          wanted = bytes.readUInt16BE(2);
          if (wanted < shortestPacket || wanted > longestPacket) return false;
          continue;
        }
        const rest = bytes.subarray(wanted);
        take(bytes.subarray(0, wanted));
        pieces = rest.length === 0 ? [] : [rest];
        held = rest.length;
        wanted = head;
      }
      return true;
    },
    held: () => held,
  };
}
