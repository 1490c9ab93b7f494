import { setTimeout } from 'node:timers/promises';
import { defaultZone } from '#lib/moments.ts';
import type { RawStore, StoredLog } from '#syslog/raw-store.ts';
import { listSegments, readChunk } from '#syslog/segments.ts';
import type { Senders } from '#syslog/senders.ts';
import { type DigestOptions, digest } from './digest.ts';
import { localDay } from './local-day.ts';
import { createStreams, type StreamRow, settle } from './streams.ts';
import { type DeviceTally, newTally } from './tally.ts';

/** Another process has read this stream meanwhile: what was counted here is counted already. */
export class StreamMoved extends Error {
  override readonly name = 'StreamMoved';
}

export interface ReaderOptions extends Pick<DigestOptions, 'read'> {
  readonly store: RawStore;
  readonly senders: Senders;
  readonly load: () => Promise<StreamRow[]>;
  /** Writes what was read, all or nothing. Throws StreamMoved when a stream does not stand where it should. */
  readonly commit: (tallies: readonly DeviceTally[]) => Promise<void>;
  readonly trouble: (what: 'parse_failed' | 'torn_line' | 'gap' | 'commit_failed', error?: unknown) => void;
  /** How long lines are gathered before they are committed, and at most how many. */
  readonly gatherMs?: number | undefined;
  readonly gatherLines?: number | undefined;
}

const pollMs = 250;
const longestRetryMs = 10_000;
const noNames: ReadonlyMap<string, string> = new Map();

/** Reads what the raw logs hold beyond what the database knows, and commits what it adds up to, until it is stopped. */
export async function startReader(options: ReaderOptions) {
  const { store, senders, gatherMs = 1000, gatherLines = 200_000 } = options;
  const streams = createStreams(options.load);
  let stopping = false;

  function tallyOf({ tenantId, deviceId }: StoredLog, tallies: Map<string, DeviceTally>): DeviceTally {
    let tally = tallies.get(deviceId);
    if (!tally) {
      const locationId = senders.byDevice(deviceId)?.locationId;
      tally = newTally({ tenantId, deviceId, locationId }, streams.of(deviceId).position);
      tallies.set(deviceId, tally);
    }
    return tally;
  }

  /** One turn: a piece of every stream that has more. Answers how many lines there were. */
  async function turn(tallies: Map<string, DeviceTally>): Promise<number> {
    let lines = 0;
    for (const stored of store.logs()) {
      if (stopping) break;
      const stream = streams.of(stored.deviceId);
      const from = tallies.get(stored.deviceId)?.to ?? stream.position;
      const until = stored.log.synced();
      if (from >= until) continue;
      const chunk = await readChunk(await listSegments(stored.log.folder), from, until);
      if (!chunk) continue;
      if (chunk.start > from) options.trouble('gap');
      const tally = tallyOf(stored, tallies);
      lines += await digest({ stream, tally, sender: senders.byDevice(stored.deviceId) }, chunk, options);
    }
    return lines;
  }

  /** A day that is over by the clock ends when every line of it was read: no line of it can come any more. */
  function closeOver(tallies: Map<string, DeviceTally>): void {
    for (const stored of store.logs()) {
      const { deviceId, log } = stored;
      const stream = streams.of(deviceId);
      if (stream.day === undefined || tallies.has(deviceId)) continue;
      const zone = senders.byDevice(deviceId)?.timeZone ?? defaultZone;
      const isRead = log.pending() === 0 && log.written() <= stream.position;
      if (isRead && localDay(Date.now(), zone) > stream.day) tallyOf(stored, tallies).closed = true;
    }
  }

  /** Commits, again and again while the database is away. What is not committed is read again after a restart. */
  async function commit(tallies: Map<string, DeviceTally>): Promise<void> {
    for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, longestRetryMs)) {
      try {
        await options.commit([...tallies.values()]);
        for (const [deviceId, tally] of tallies) settle(streams.of(deviceId), tally);
        return;
      } catch (error) {
        options.trouble('commit_failed', error);
        if (error instanceof StreamMoved) return void (await streams.reload().catch(() => undefined));
        for (let waited = 0; waited < waitMs && !stopping; waited += pollMs) await setTimeout(pollMs);
        if (stopping) return;
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping) {
      const tallies = new Map<string, DeviceTally>();
      const began = Date.now();
      let lines = 0;
      while (!stopping && lines < gatherLines && Date.now() - began < gatherMs) {
        const more = await turn(tallies);
        lines += more;
        if (more === 0) break;
      }
      closeOver(tallies);
      if (tallies.size > 0) await commit(tallies);
      if (lines === 0 && !stopping) await setTimeout(pollMs);
    }
  }

  await streams.reload();
  let ended: Promise<void> | undefined;
  return {
    /** The position that the database knows of a device. */
    position: (deviceId: string) => streams.known(deviceId)?.position ?? 0,
    /** Names by address, of a device's latest DNS answers. */
    names: (deviceId: string): ReadonlyMap<string, string> => streams.known(deviceId)?.names ?? noNames,
    /** Bytes that are kept but not read yet. */
    lag: () => {
      let bytes = 0;
      for (const { deviceId, log } of store.logs()) bytes += Math.max(0, log.written() - streams.of(deviceId).position);
      return bytes;
    },
    start() {
      const keepOn = (): Promise<void> =>
        run().catch(async error => {
          options.trouble('commit_failed', error);
          if (stopping) return;
          await setTimeout(1000);
          await keepOn();
        });
      ended ??= keepOn();
    },
    async stop() {
      stopping = true;
      await ended;
    },
  };
}
