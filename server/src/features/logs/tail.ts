import path from 'node:path';
import type { LogTailEvent, logLineTypes } from '@portico/contract/logs.ts';
import { audit } from '#features/audit/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError, found } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { createCache } from '#lib/cache.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { createStreamLimit } from '#lib/stream-limit.ts';
import { listSegments, readChunk } from '#syslog/segments.ts';
import { deviceFolder } from './archive.ts';
import * as queries from './logs.queries.ts';
import { matchingLines, type TailFilter } from './tail-lines.ts';

/*
 * The live view of a device's lines. It reads the raw file, because another process may write it. It holds one chunk in memory
 * and reads the next one when the client has received it.
 */
const pollMs = 400;
const checkMs = 5000;
const chunkBytes = 128 * 1024;
/** A view that is further behind skips lines, because it should show current events. */
const maxLagBytes = 1 << 20;
const maxLinesPerEvent = 200;
const audited = createCache<string, true>({ maxEntries: 10_000, ttlMs: 600_000 });

const acquire = createStreamLimit();

type LineType = (typeof logLineTypes)[number];

/** Streams the lines of a device as they arrive, until the client disconnects or loses the permission. */
export async function openTail(
  context: Context & { actor: Actor },
  deviceId: string,
  query: { types?: LineType[] | undefined; search?: string | undefined },
  stillAllowed: () => Promise<boolean>,
): Promise<AsyncGenerator<string>> {
  const { app, tenant, actor, inTenant, request } = context;
  const device = found(await inTenant(tx => queries.findLogDevice(tx, actor, deviceId)));
  const release = acquire({ all: 200, [`device ${deviceId}`]: 10, [`user ${actor.userId}`]: 3 });
  if (!release) throw new AppError('too_many_tails');
  try {
    if (shouldAudit(`${actor.userId} ${deviceId}`))
      await inTenant(tx =>
        audit(
          tx,
          { userId: actor.userId, ip: request.ip },
          {
            verb: 'export',
            subject: { type: 'log-tail', id: deviceId, name: device.name },
            locationId: device.location_id,
            deviceId,
          },
        ),
      );
  } catch (error) {
    release();
    throw error;
  }
  const closed = new AbortController();
  /** The change does not name the user, so every view of the tenant checks its rights again. */
  const rights = { inDoubt: false };
  const stop = app.changes.subscribe(change => {
    if (change.tenant === tenant.id && change.topic === 'rights') rights.inDoubt = true;
  });
  const close = () => {
    closed.abort();
    stop();
    release();
  };
  request.raw.on('close', close);
  if (request.raw.destroyed) close();
  const folder = path.join(deviceFolder(app.settings.DATA_DIR, tenant.id, deviceId), 'raw');
  const filter: TailFilter = { brand: device.brand, types: query.types, search: query.search };
  return follow({ folder, filter, rights, closed: closed.signal, stillAllowed, close });
}

function shouldAudit(key: string): boolean {
  if (audited.has(key)) return false;
  audited.set(key, true);
  return true;
}

const eventOf = (event: LogTailEvent): string => `data: ${JSON.stringify(event)}\n\n`;

async function* follow(it: {
  folder: string;
  filter: TailFilter;
  rights: { inDoubt: boolean };
  closed: AbortSignal;
  stillAllowed: () => Promise<boolean>;
  close: () => void;
}): AsyncGenerator<string> {
  const { folder, filter, rights, closed, stillAllowed, close } = it;
  let checked = steadyNow();
  let first = true;
  let position: number | undefined;
  try {
    yield 'retry: 3000\n\n';
    while (!closed.aborted) {
      const segments = await listSegments(folder);
      const end = segments.at(-1)?.end ?? 0;
      position ??= await lineStart(segments, end);
      let skipped = false;
      if (end - position > maxLagBytes) {
        position = await lineStart(segments, end);
        skipped = true;
      }
      const chunk = await readChunk(segments, position, end, chunkBytes);
      if (chunk) position = chunk.end;
      const found = chunk ? matchingLines(chunk.bytes, filter) : [];
      const lines = found.slice(-maxLinesPerEvent);
      skipped ||= !first && found.length > lines.length;
      // Asked before the lines that were just read are sent.
      if (rights.inDoubt) {
        rights.inDoubt = false;
        if (!(await stillAllowed())) return;
      }
      // The first event is sent even without lines, so that the client knows that it is connected.
      if (first || lines.length > 0 || skipped) yield eventOf({ lines, skipped });
      first = false;
      if (steadyNow() - checked > checkMs) {
        if (!(await stillAllowed())) return;
        checked = steadyNow();
        yield ': still here\n\n';
      }
      if (!chunk || chunk.end >= end) await pause(closed);
      else await pause(closed, 5);
    }
  } finally {
    close();
  }
}

/** The start of a line shortly before the end. */
async function lineStart(segments: Awaited<ReturnType<typeof listSegments>>, end: number): Promise<number> {
  const from = Math.max(segments[0]?.start ?? 0, end - chunkBytes);
  const chunk = await readChunk(segments, from, end, chunkBytes);
  // A segment begins with a line. Elsewhere the first line may be incomplete.
  if (!chunk || segments.some(segment => segment.start === chunk.start)) return chunk?.start ?? end;
  return chunk.start + chunk.bytes.indexOf(10) + 1;
}

function pause(closed: AbortSignal, ms = pollMs): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      closed.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    closed.addEventListener('abort', done);
  });
}
