import { longestPacket, shortestPacket } from '@portico/radius/packet.ts';

export interface PacketStream {
  /** Takes bytes of the connection. False: they hold no packets, so nothing after them can be read either. */
  readonly push: (chunk: Buffer) => boolean;
  /** Bytes of a packet that is not whole yet. */
  readonly held: () => number;
}

const head = 4;

/** Cuts a byte stream into packets by their Length (RFC 6613 section 2.6.4): a packet may come in pieces, or several at once. */
export function createPacketStream(take: (packet: Buffer) => void): PacketStream {
  let pieces: Buffer[] = [];
  let held = 0;
  /** Bytes of the packet that is coming in; of its head until that is known. */
  let wanted = head;

  return {
    push(chunk) {
      pieces.push(chunk);
      held += chunk.length;
      // Joined once per packet, not once per piece: a packet that comes byte by byte costs no more than another.
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
