import type { Endpoint } from '@portico/contract/endpoint.ts';
import type { FastifyReply } from 'fastify';
import { callerNetwork } from '#lib/caller-network.ts';
import { createStreamLimit } from '#lib/stream-limit.ts';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import type { Context } from './call.ts';

/** A file that is not read holds its next rows, several megabytes, until its connection ends. */
const maxOfCaller = 5;
const maxOfTenant = 20;
const retrySeconds = 10;
const acquire = createStreamLimit();

/** Whether the answer to this call is a file. */
export const isFileCall = ({ reply, csvDownload }: Endpoint, query: unknown): boolean =>
  reply === 'csv' || reply === 'file' || (csvDownload === true && (query as { download?: boolean }).download === true);

/** Counts a file before its first row is read. Its place is free again when the answer ends, however it ends. */
export function takePlace({ tenant, request, reply }: Context, actor: Actor | undefined): void {
  const caller = actor?.userId ?? callerNetwork(request.ip);
  const release = acquire({ [`${tenant.id} ${caller}`]: maxOfCaller, [tenant.id]: maxOfTenant });
  if (!release) throw new AppError('too_many', { values: { seconds: retrySeconds } });
  reply.raw.once('close', release);
  if (reply.raw.destroyed) release();
}

/** Cuts the connection of a caller who takes nothing for this time. A slow database is not the caller's fault. */
export function endUnread({ raw }: FastifyReply, unreadMs: number): void {
  raw.setTimeout(unreadMs, () => {
    const { socket } = raw;
    if (raw.writableLength > 0 || (socket?.writableLength ?? 0) > 0) raw.destroy();
    else socket?.setTimeout(unreadMs);
  });
}
