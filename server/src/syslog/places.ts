import type { Socket } from 'node:net';
import { plainAddress } from '#lib/plain-address.ts';

export interface PlacesOptions {
  readonly maxConnections?: number | undefined;
  readonly maxPerAddress?: number | undefined;
  readonly idleMs?: number | undefined;
  /** Called for a connection that found no place (of its address, of all), and for one that made place for another. */
  readonly turnedAway?: ((why: 'address' | 'all' | 'pushed_out') => void) | undefined;
}

export interface Places {
  /** Gives a connection a place and answers its address; undefined where none is left, and it is destroyed. */
  readonly take: (socket: Socket) => string | undefined;
  /** A connection has brought a line of a device: it is not pushed out any more. */
  readonly prove: (socket: Socket) => void;
  readonly open: ReadonlySet<Socket>;
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Limits the connections at once. When all places are taken, the connection that has brought no line of a device for the longest time is
 * closed, so idle connections keep no router out.
 */
export function createPlaces(options: PlacesOptions): Places {
  const { maxConnections = 5000, maxPerAddress = 100, idleMs = 3_600_000 } = options;
  const open = new Set<Socket>();
  const unproven = new Set<Socket>();
  const byAddress = new Map<string, Set<Socket>>();
  // A connection over TLS has a socket of its own over the one that took the place.
  const byPeer = new Map<string, Socket>();

  const leave = (socket: Socket, { address, peer }: { address: string; peer: string }): void => {
    open.delete(socket);
    unproven.delete(socket);
    if (byPeer.get(peer) === socket) byPeer.delete(peer);
    const others = byAddress.get(address);
    others?.delete(socket);
    if (others?.size === 0) byAddress.delete(address);
  };

  /** Makes place among these; false when all of them have proven whose they are. */
  const pushOut = (among: Iterable<Socket>): boolean => {
    for (const one of among)
      if (unproven.has(one)) {
        options.turnedAway?.('pushed_out');
        leave(one, { address: plainAddress(one.remoteAddress ?? ''), peer: peerOf(one) });
        one.destroy();
        return true;
      }
    return false;
  };

  return {
    open,
    take(socket) {
      const address = plainAddress(socket.remoteAddress ?? '');
      const peer = peerOf(socket);
      socket.on('error', () => socket.destroy());
      const ofAddress = byAddress.get(address) ?? new Set();
      const full =
        ofAddress.size >= maxPerAddress && !pushOut(ofAddress)
          ? 'address'
          : open.size >= maxConnections && !pushOut(unproven)
            ? 'all'
            : undefined;
      if (full) {
        options.turnedAway?.(full);
        socket.destroy();
        return undefined;
      }
      byAddress.set(address, ofAddress.add(socket));
      open.add(socket);
      unproven.add(socket);
      byPeer.set(peer, socket);
      socket.on('close', () => leave(socket, { address, peer }));
      socket.setTimeout(idleMs, () => socket.destroy());
      return address;
    },
    prove(socket) {
      const taken = byPeer.get(peerOf(socket));
      if (taken) unproven.delete(taken);
    },
  };
}
