import { setTimeout } from 'node:timers/promises';
import { defaultZone } from '#lib/moments.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import type { DeviceRef, RawStore, StoredLog } from '#syslog/raw-store.ts';
import { listSegments, readChunk } from '#syslog/segments.ts';
import type { Senders } from '#syslog/senders.ts';
import { type CountOptions, countLines } from './count-lines.ts';
import { localDay } from './local-day.ts';
import { advance, createStreams, type StreamRow } from './streams.ts';
import { type DeviceTally, newTally } from './tally.ts';

/** Another process has read this stream in the meantime and has counted the same lines. */
export class StreamMoved extends Error {
  override readonly name = 'StreamMoved';
}

export interface ReaderOptions extends Pick<CountOptions, 'read'> {
  readonly store: RawStore;
  readonly senders: Senders;
  readonly load: () => Promise<StreamRow[]>;
  /**
   * Stores the tallies in one transaction. Throws StreamMoved if a stream has another position than expected. Returns the devices
   * whose tallies were dropped, because their tenant moves.
   */
  readonly commit: (tallies: readonly DeviceTally[]) => Promise<readonly string[]>;
  readonly problem: (
    what: 'parse_failed' | 'torn_line' | 'gap' | 'commit_failed' | 'arrival_failed',
    error?: unknown,
  ) => void;
  /** The time and the number of lines after which the tallies are committed. */
  readonly gatherMs?: number | undefined;
  readonly gatherLines?: number | undefined;
  /** How often the streams of dropped tallies are looked up again. */
  readonly lookAgainMs?: number | undefined;
}

const pollMs = 250;
const maxRetryMs = 10_000;
const noNames: ReadonlyMap<string, string> = new Map();

/** Reads the raw logs from the positions in the database, and commits the counts, until it is stopped. */
export async function startReader(options: ReaderOptions) {
  const { store, senders, gatherMs = 1000, gatherLines = 200_000, lookAgainMs = 60_000 } = options;
  const streams = createStreams(options.load);
  /** Devices whose lines were read but not counted. They are read again, when a move is cancelled or after some time. */
  const dropped = new Set<string>();
  let lookedAt = 0;
  let stopping = false;
  /** Devices that arrived, and what waits for them and is told which of them failed. */
  const arrivals: { devices: readonly DeviceRef[]; done: (failing: ReadonlySet<string>) => void }[] = [];
  /** Devices whose failure was reported, until they succeed. */
  const reported = new Set<string>();

  function tallyOf({ tenantId, deviceId }: StoredLog, tallies: Map<string, DeviceTally>): DeviceTally {
    let tally = tallies.get(deviceId);
    if (!tally) {
      const locationId = senders.byDevice(deviceId)?.locationId;
      tally = newTally({ tenantId, deviceId, locationId }, streams.of(deviceId).position);
      tallies.set(deviceId, tally);
    }
    return tally;
  }

  /** Reads a chunk of every stream that has more. Returns the number of lines. */
  async function readChunks(tallies: Map<string, DeviceTally>): Promise<number> {
    let lines = 0;
    for (const stored of store.logs()) {
      if (stopping) break;
      const stream = streams.of(stored.deviceId);
      const from = tallies.get(stored.deviceId)?.to ?? stream.position;
      const until = stored.log.synced();
      if (from >= until) continue;
      const chunk = await readChunk(await listSegments(stored.log.folder), from, until);
      if (!chunk) continue;
      if (chunk.start > from) options.problem('gap');
      const tally = tallyOf(stored, tallies);
      lines += await countLines({ stream, tally, sender: senders.byDevice(stored.deviceId) }, chunk, options);
    }
    return lines;
  }

  /** Closes days that have passed once all their lines are read. */
  function closePastDays(tallies: Map<string, DeviceTally>): void {
    for (const stored of store.logs()) {
      const { deviceId, log } = stored;
      const stream = streams.of(deviceId);
      if (stream.day === undefined || tallies.has(deviceId)) continue;
      const zone = senders.byDevice(deviceId)?.timeZone ?? defaultZone;
      const isRead = log.pending() === 0 && log.written() <= stream.position;
      if (isRead && localDay(Date.now(), zone) > stream.day) tallyOf(stored, tallies).closed = true;
    }
  }

  /** Commits, with retries during a database outage. Uncommitted lines are read again after a restart. */
  async function commit(tallies: Map<string, DeviceTally>): Promise<void> {
    for (let waitMs = 500; ; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
      try {
        for (const deviceId of await options.commit([...tallies.values()])) dropped.add(deviceId);
        for (const [deviceId, tally] of tallies) advance(streams.of(deviceId), tally);
        return;
      } catch (error) {
        options.problem('commit_failed', error);
        if (error instanceof StreamMoved) return void (await streams.reload().catch(() => undefined));
        for (let waited = 0; waited < waitMs && !stopping; waited += pollMs) await setTimeout(pollMs);
        if (stopping) return;
      }
    }
  }

  /**
   * Goes back to the committed position of a stream whose tenant stays after all, or whose tally the database refused. A stream
   * that was never committed begins again, if its device still sends lines.
   */
  async function lookAgain(): Promise<void> {
    if (dropped.size === 0 || steadyNow() - lookedAt < lookAgainMs) return;
    lookedAt = steadyNow();
    for (const deviceId of await streams.reload()) dropped.delete(deviceId);
    const fresh = [...dropped].filter(deviceId => senders.byDevice(deviceId));
    if (fresh.length === 0) return;
    await streams.begin(new Set(fresh));
    for (const deviceId of fresh) dropped.delete(deviceId);
  }

  /** Between two commits, because nothing of these devices is being read then. */
  async function takeArrivals(): Promise<void> {
    for (let next = arrivals[0]; next; next = arrivals[0]) {
      await streams.begin(new Set(next.devices.map(it => it.deviceId)));
      const failing = new Set<string>();
      for (const device of next.devices) {
        const { deviceId } = device;
        try {
          await store.reopen(device);
          dropped.delete(deviceId);
          reported.delete(deviceId);
        } catch (error) {
          failing.add(deviceId);
          if (!reported.has(deviceId)) options.problem('arrival_failed', error);
          reported.add(deviceId);
        }
      }
      arrivals.shift();
      next.done(failing);
    }
  }

  async function run(): Promise<void> {
    while (!stopping) {
      await takeArrivals();
      await lookAgain();
      const tallies = new Map<string, DeviceTally>();
      const startedAt = steadyNow();
      let lines = 0;
      while (!stopping && lines < gatherLines && steadyNow() - startedAt < gatherMs) {
        const more = await readChunks(tallies);
        lines += more;
        if (more === 0) break;
      }
      closePastDays(tallies);
      if (tallies.size > 0) await commit(tallies);
      if (lines === 0 && !stopping) await setTimeout(pollMs);
    }
  }

  await streams.reload();
  let ended: Promise<void> | undefined;
  return {
    /** The committed position of a device's stream. */
    position: (deviceId: string) => streams.known(deviceId)?.position ?? 0,
    /** Host names by address, from a device's latest DNS answers. */
    names: (deviceId: string): ReadonlyMap<string, string> => streams.known(deviceId)?.names ?? noNames,
    /** Bytes that are stored but not read yet. */
    lag: () => {
      let bytes = 0;
      for (const { deviceId, log } of store.logs()) bytes += Math.max(0, log.written() - streams.of(deviceId).position);
      return bytes;
    },
    /**
     * Devices from which lines are taken from now on. With their tenant, the positions and files of their streams may have come
     * from another installation, also after they were here before. Returns those that failed: no line of them can be stored.
     * `onNew` gets the devices without a stream, which need not wait for the others.
     */
    async arrive(
      all: readonly DeviceRef[],
      onNew: (devices: readonly DeviceRef[]) => void = () => undefined,
    ): Promise<ReadonlySet<string>> {
      const known = new Set((await options.load()).map(row => row.device_id));
      for (const { deviceId } of store.logs()) known.add(deviceId);
      const devices = all.filter(it => known.has(it.deviceId));
      onNew(all.filter(it => !known.has(it.deviceId)));
      if (devices.length === 0 || stopping) return new Set();
      return new Promise(done => arrivals.push({ devices, done }));
    },
    start() {
      const runUntilStopped = (): Promise<void> =>
        run().catch(async error => {
          options.problem('commit_failed', error);
          if (stopping) return;
          await setTimeout(1000);
          await runUntilStopped();
        });
      ended ??= runUntilStopped();
    },
    async stop() {
      stopping = true;
      await ended;
      for (const { done } of arrivals.splice(0)) done(new Set());
    },
  };
}
