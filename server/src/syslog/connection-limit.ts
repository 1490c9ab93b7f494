import type { Socket } from 'node:net';
import { plainAddress } from '#lib/plain-address.ts';

export interface ConnectionLimitOptions {
  readonly maxConnections?: number | undefined;
  readonly maxPerAddress?: number | undefined;
  readonly idleMs?: number | undefined;
  /** Called for a connection that is refused (limit of its address, or of all), and for one that is closed for another. */
  readonly turnedAway?: ((reason: 'address' | 'all' | 'pushed_out') => void) | undefined;
}

/** The open connections. The number of them is limited. */
export interface ConnectionLimit {
  /** Accepts a connection and returns its address. Destroys it and returns undefined if the limit is reached. */
  readonly take: (socket: Socket) => string | undefined;
  /** Marks a connection that sent a line of a known device. It is not closed for another one any more. */
  readonly prove: (socket: Socket) => void;
  readonly open: ReadonlySet<Socket>;
}

const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/**
 * Limits the number of open connections. At the limit, the oldest connection without a line of a known device is closed, so
 * that idle connections keep no router out.
 */
export function createConnectionLimit(options: ConnectionLimitOptions): ConnectionLimit {
  const { maxConnections = 5000, maxPerAddress = 100, idleMs = 3_600_000 } = options;
  const open = new Set<Socket>();
  const unproven = new Set<Socket>();
  const byAddress = new Map<string, Set<Socket>>();
  // A TLS connection has two sockets; the inner one was counted. Both have the same peer.
  const byPeer = new Map<string, Socket>();

  const remove = (socket: Socket, { address, peer }: { address: string; peer: string }): void => {
    open.delete(socket);
    unproven.delete(socket);
    if (byPeer.get(peer) === socket) byPeer.delete(peer);
    const others = byAddress.get(address);
    others?.delete(socket);
    if (others?.size === 0) byAddress.delete(address);
  };

  /** Closes one of these connections; false if all of them are marked. */
  const closeUnproven = (among: Iterable<Socket>): boolean => {
    for (const one of among)
      if (unproven.has(one)) {
        options.turnedAway?.('pushed_out');
        remove(one, { address: plainAddress(one.remoteAddress ?? ''), peer: peerOf(one) });
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
        ofAddress.size >= maxPerAddress && !closeUnproven(ofAddress)
          ? 'address'
          : open.size >= maxConnections && !closeUnproven(unproven)
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
      socket.on('close', () => remove(socket, { address, peer }));
      socket.setTimeout(idleMs, () => socket.destroy());
      return address;
    },
    prove(socket) {
      const taken = byPeer.get(peerOf(socket));
      if (taken) unproven.delete(taken);
    },
  };
}
