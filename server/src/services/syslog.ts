import path from 'node:path';
import { bisectOnError } from '#db/batches.ts';
import { addQuarantined, createQuarantine } from '#features/log-sources/public.ts';
import {
  addDroppedLines,
  addFlows,
  commitTallies,
  countDroppedLines,
  countFlows,
  type DeviceTally,
  type FlowTally,
  listSenders,
  listStreams,
  logMetrics,
  logStore,
  startReader,
} from '#features/logs/public.ts';
import type { App } from '#lib/app.ts';
import { kernelDrops } from '#lib/kernel-drops.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { startIntake } from '#syslog/intake.ts';
import { openLogFolder } from '#syslog/log-folder.ts';
import { createNetflowDecoder } from '#syslog/netflow.ts';
import { openNetflowListener } from '#syslog/netflow-listener.ts';
import { listDevices, type RawStore } from '#syslog/raw-store.ts';
import { createSenders, type LogSender } from '#syslog/senders.ts';
import type { Service } from './service.ts';
import { syslogTls } from './syslog-tls.ts';

export interface SyslogOptions {
  /** 0 means a free port; default SYSLOG_PORT. */
  readonly port?: number | undefined;
  readonly tlsPort?: number | undefined;
  readonly netflowPort?: number | undefined;
  readonly linesPerSecond?: number | undefined;
  readonly gatherMs?: number | undefined;
  readonly lookAgainMs?: number | undefined;
  readonly dropReportMs?: number | undefined;
}

type Reader = Awaited<ReturnType<typeof startReader>>;

const refreshMs = 15_000;
/** Changes of what tells senders apart. A revoked certificate counts no more, on open connections too. */
const senderTopics = new Set(['devices', 'device-certificates', 'locations', 'log-sources']);
/** The shortest interval between two device lookups, because of an unknown sender or because of a change. */
const lookupMs = { unknown: 1000, changed: 100 };
const noNames: ReadonlyMap<string, string> = new Map();
/** The shortest interval between two notifications of new lines of a location. */
const notifyMs = 5000;

/**
 * The log service: one port, UDP and TCP. A line is first stored in a file. The reader interprets the file later and writes
 * to the database, so neither an outage nor a parser error loses a line.
 */
export async function startSyslog(
  app: App,
  options: SyslogOptions = {},
): Promise<Service & { port: number; tlsPort: number | undefined; netflowPort: number | undefined }> {
  const { settings, log } = app;
  const folder = path.join(settings.DATA_DIR, 'logs');
  const metrics = logMetrics();
  const failed = (where: string, error: unknown) => {
    metrics.errors.inc({ where });
    log.error({ err: error, where }, 'syslog');
  };

  const tls = await syslogTls(settings);
  const senders = createSenders();
  let refreshedAt = 0;
  let refreshing: Promise<void> | undefined;
  let reader: Reader | undefined;
  let all: readonly LogSender[] = [];
  /** Devices whose lines are not taken yet, because the reader first looks where their streams end. */
  const arriving = new Set<string>();
  const waiting = new Set<Promise<void>>();
  const useSenders = (): void => senders.replace(all.filter(it => !arriving.has(it.deviceId)));
  const loadSenders = async (): Promise<void> => {
    refreshedAt = steadyNow();
    all = await app.db.withSystem(listSenders);
    const added = all.filter(it => !senders.byDevice(it.deviceId) && !arriving.has(it.deviceId));
    if (reader && added.length > 0) addSenders(reader, added);
    useSenders();
  };
  /** The reader may wait for the database, or fail with one device, and the others wait for neither. */
  function addSenders(by: Reader, added: readonly LogSender[]): void {
    for (const { deviceId } of added) arriving.add(deviceId);
    const take = (those: readonly { deviceId: string }[]): void => {
      for (const { deviceId } of those) arriving.delete(deviceId);
      useSenders();
    };
    const arrived = by
      .arrive(added, take)
      // A device that failed is no sender until the next look, which tries again.
      .then(failing => {
        all = all.filter(it => !failing.has(it.deviceId));
      })
      .catch(error => {
        failed('senders', error);
        all = all.filter(it => !added.some(one => one.deviceId === it.deviceId));
      })
      .finally(() => {
        take(added);
        waiting.delete(arrived);
      });
    waiting.add(arrived);
  }
  let later: NodeJS.Timeout | undefined;
  // A request within the interval is deferred to its end, so that a new device need not wait for the next refresh.
  const refreshSenders = (why: keyof typeof lookupMs = 'unknown'): void => {
    const least = lookupMs[why];
    const since = steadyNow() - refreshedAt;
    if (refreshing || since < least) {
      later ??= setTimeout(
        () => {
          later = undefined;
          refreshSenders(why);
        },
        Math.min(least, Math.max(0, least - since) + 10),
      );
      return;
    }
    refreshing = loadSenders()
      .catch(error => failed('senders', error))
      .finally(() => {
        refreshing = undefined;
      });
  };
  await loadSenders();

  const notifiedAt = new Map<string, number>();
  /** Reads what the store writes, while this process owns the folder. */
  async function startReading(store: RawStore): Promise<() => Promise<void>> {
    const started = await startReader({
      store,
      senders,
      gatherMs: options.gatherMs,
      lookAgainMs: options.lookAgainMs,
      load: () => app.db.withSystem(listStreams),
      commit: async tallies => {
        const now = steadyNow();
        const due = new Map(
          tallies.flatMap(({ tenantId, locationId, from, to }) =>
            locationId && to > from ? [[locationId, { tenantId, locationId }] as const] : [],
          ),
        );
        for (const locationId of due.keys())
          if (now - (notifiedAt.get(locationId) ?? 0) < notifyMs) due.delete(locationId);
        const commitSome = async (some: readonly DeviceTally[]): Promise<boolean[]> => {
          const told = [...due.values()].filter(it => some.some(({ locationId }) => locationId === it.locationId));
          const left = await app.db.withSystem(tx => commitTallies(tx, some, told, logStore(settings)));
          return some.map(({ deviceId }) => left.includes(deviceId));
        };
        // The counts of one device that the database refuses must not keep those of the others waiting.
        const isDropped = await bisectOnError(tallies, commitSome, (_, error) => {
          failed('counts', error);
          return true;
        });
        for (const locationId of due.keys()) notifiedAt.set(locationId, now);
        return tallies.filter((_, at) => isDropped[at]).map(({ deviceId }) => deviceId);
      },
      read: type => metrics.read.inc({ type }),
      problem: (what, error) => {
        metrics.errors.inc({ where: what });
        if (error) log.warn({ err: error, where: what }, 'syslog');
      },
    });
    reader = started;
    // An earlier run may have stored lines that it did not read.
    for (const device of await listDevices(folder)) await store.logOf(device).find();
    started.start();
    return async () => {
      await started.stop();
      reader = undefined;
    };
  }
  const store = await openLogFolder({
    folder,
    minPosition: deviceId => reader?.position(deviceId) ?? 0,
    failed,
    becameOwner: startReading,
  });
  if (!store.isOwner()) log.info('another process owns the log folder: it stores what this one receives');

  async function startNetflow() {
    const wanted = options.netflowPort ?? settings.NETFLOW_PORT;
    if (wanted === undefined) return undefined;
    const decoder = createNetflowDecoder();
    const flows = countFlows({
      names: deviceId => reader?.names(deviceId) ?? noNames,
      write: async (tallies, written) => {
        const writeSome = async (some: readonly FlowTally[]): Promise<undefined[]> => {
          await app.db.withSystem(tx => addFlows(tx, some, logStore(settings)));
          written(some);
          return some.map(() => undefined);
        };
        await bisectOnError(tallies, writeSome, (_, error) => void failed('flows', error));
      },
      failed: error => failed('flows', error),
      everyMs: options.dropReportMs,
    });
    const listener = await openNetflowListener({
      host: settings.UDP_HOST,
      port: wanted,
      failed,
      receive(packet, address) {
        const sender = senders.at(address);
        if (!sender) {
          droppedLines.addUnknown('flows');
          return metrics.dropped.inc({ reason: 'unknown_exporter' });
        }
        if (sender.loggingEnabled) flows.add(sender, decoder.read(address, packet));
      },
    }).catch(async error => {
      await flows.stop();
      throw error;
    });
    return { ...listener, stop: () => listener.close().then(flows.stop) };
  }

  let port: number | undefined;
  const droppedLines = countDroppedLines({
    write: (rows, ofAll) => app.db.withSystem(tx => addDroppedLines(tx, rows, ofAll)),
    failed: error => failed('droppedLines', error),
    overflow: async () => (port === undefined ? 0 : kernelDrops(port)),
    everyMs: options.dropReportMs,
  });
  const quarantine = createQuarantine({
    write: rows => app.db.withSystem(tx => addQuarantined(tx, rows)),
    failed: error => failed('quarantine', error),
    everyMs: options.dropReportMs,
  });
  const intake = await startIntake({
    host: settings.UDP_HOST,
    port: options.port ?? settings.SYSLOG_PORT,
    senders,
    store,
    unknown: unassigned => {
      if (unassigned) droppedLines.addUnknown('lines');
      refreshSenders();
    },
    count: (name, labels) => metrics[name].inc(labels),
    tls: tls && { ...tls, port: options.tlsPort ?? tls.port },
    dropped: droppedLines.add,
    quarantine: quarantine.add,
    failed,
    linesPerSecond: options.linesPerSecond,
  }).catch(async error => {
    await store.close();
    await droppedLines.stop();
    await quarantine.stop();
    throw error;
  });
  port = intake.port;
  const netflow = await startNetflow().catch(async error => {
    await intake.close();
    await store.close();
    await droppedLines.stop();
    await quarantine.stop();
    throw error;
  });

  const refresh = setInterval(() => refreshSenders(), refreshMs);
  const unsubscribe = app.changes.subscribe(({ topic }) => {
    if (senderTopics.has(topic)) refreshSenders('changed');
  });
  const watch = metrics.watch({
    waiting: store.waitingBytes,
    free: store.freeBytes,
    lag: () => reader?.lag() ?? 0,
    connections: intake.connections,
    busySenders: intake.busySenders,
    kernelDrops: () => kernelDrops(intake.port),
  });

  return {
    port: intake.port,
    tlsPort: intake.tlsPort,
    netflowPort: netflow?.port,
    async stop() {
      clearInterval(refresh);
      clearTimeout(later);
      clearInterval(watch);
      unsubscribe();
      await intake.close();
      await netflow?.stop();
      await droppedLines.stop();
      await quarantine.stop();
      // This ends the reader, for which the look at the senders may wait.
      await store.close();
      await refreshing;
      await Promise.all(waiting);
    },
  };
}
