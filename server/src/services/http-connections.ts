import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { callerNetwork } from '#lib/caller-network.ts';
import { counter } from '#lib/metrics.ts';

/** More than that are no use to one process. */
const maxConnections = 10_000;
/** Connections of a web server may use this share of the files that the process may open: the record needs some as well. */
const shareOfFiles = 1 / 3;

/** How many connections a web server keeps open. */
export function connectionsOf(limits = readLimits()): number {
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.min(maxConnections, Math.max(100, Math.floor(files * shareOfFiles)));
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

const turnedAway = () =>
  counter('portico_http_connections_closed_total', 'Connections closed because too many were open', ['reason']);

/**
 * Limits the open connections of a web server. At the limit the address with the most waiting connections loses its oldest
 * one. A caller who opens thousands and sends nothing, or never ends its request, only locks itself out. A connection waits
 * unless a request that arrived whole is being answered.
 */
export function limitConnections(server: FastifyInstance, most = connectionsOf()): void {
  let open = 0;
  const requests = new WeakMap<Socket, number>();
  const waiting = new Map<string, Set<Socket>>();

  const addressOf = (socket: Socket): string => callerNetwork(socket.remoteAddress ?? '');
  const addresses = new WeakMap<Socket, string>();
  const wait = (socket: Socket): void => {
    const address = addresses.get(socket);
    if (address === undefined || socket.destroyed) return;
    const others = waiting.get(address) ?? new Set();
    waiting.set(address, others.add(socket));
  };
  const stopWaiting = (socket: Socket): void => {
    const address = addresses.get(socket) ?? '';
    const others = waiting.get(address);
    if (others?.delete(socket) && others.size === 0) waiting.delete(address);
  };

  /** Closes the oldest waiting connection of the address that has the most; false if none waits. */
  function closeOne(): boolean {
    let largest: Set<Socket> | undefined;
    for (const sockets of waiting.values()) if (!largest || sockets.size > largest.size) largest = sockets;
    const [oldest] = largest ?? [];
    if (!oldest) return false;
    stopWaiting(oldest);
    oldest.destroy();
    return true;
  }

  server.server.on('connection', (socket: Socket) => {
    if (open >= most) {
      const closed = closeOne();
      turnedAway().inc({ reason: closed ? 'waiting' : 'full' });
      if (!closed) return void socket.destroy();
    }
    open += 1;
    addresses.set(socket, addressOf(socket));
    wait(socket);
    socket.once('close', () => {
      open -= 1;
      stopWaiting(socket);
    });
  });

  // After the body was read. A request that is refused before stays a waiting one.
  server.addHook('preValidation', (request, _reply, next) => {
    const { socket } = request.raw;
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    stopWaiting(socket);
    next();
  });
  server.addHook('onResponse', (request, _reply, next) => {
    const { socket } = request.raw;
    const left = (requests.get(socket) ?? 0) - 1;
    if (left >= 0) requests.set(socket, left);
    if (left === 0) wait(socket);
    next();
  });
}
