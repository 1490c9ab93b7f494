import { openDoor, type TlsOptions } from './door.ts';
import { createFloodLimit } from './flood-limit.ts';
import type { RawStore, Taken } from './raw-store.ts';
import { formatRecord } from './record.ts';
import type { LogSender, Senders } from './senders.ts';

/** Why a line of a known device was not kept, or not whole. */
export type Loss = Exclude<Taken, 'kept'> | 'flood' | 'logging_off' | 'unnamed' | 'cut';

export interface IntakeOptions {
  readonly host: string;
  /** UDP and TCP; 0 takes a free one. */
  readonly port: number;
  readonly senders: Senders;
  readonly store: RawStore;
  /** Asked when a sender is unknown: it may have been added a moment ago. `nobodys`: no device shares its address either. */
  readonly unknown: (nobodys: boolean) => void;
  readonly count: (
    name: 'lines' | 'dropped' | 'cut' | 'refused' | 'turnedAway',
    labels: { readonly [name: string]: string },
  ) => void;
  readonly lost: (device: LogSender, why: Loss) => void;
  readonly failed: (where: string, error: unknown) => void;
  /** Lines a second of one device, with as many at once on top. */
  readonly linesPerSecond?: number | undefined;
  readonly tls?: TlsOptions | undefined;
  /** Bytes of a line. */
  readonly longest?: number | undefined;
}

export interface Intake {
  readonly port: number;
  readonly tlsPort: number | undefined;
  readonly connections: () => number;
  readonly loud: () => number;
  readonly close: () => Promise<void>;
}

/** Listens for log lines and keeps those of known devices. Rejects when the port cannot be bound; nothing makes it throw later. */
export async function startIntake(options: IntakeOptions): Promise<Intake> {
  const { senders, store, count, lost, longest = 8192 } = options;
  const flood = createFloodLimit(options.linesPerSecond ?? 10_000);
  return openDoor({
    host: options.host,
    port: options.port,
    longest,
    tls: options.tls,
    pressed: () => store.pressed(),
    failed: options.failed,
    refused: () => count('refused', {}),
    turnedAway: reason => count('turnedAway', { reason }),
    receive({ line, address, transport, cut, certified }) {
      // A certificate proves who sends; what the line says of itself does not count then.
      const sender = certified === undefined ? senders.identify(line, address) : senders.byName(certified);
      if (!sender) {
        count('dropped', { reason: 'unknown_sender' });
        const perhaps = certified === undefined ? senders.sharing(line, address) : [];
        for (const one of perhaps) lost(one, 'unnamed');
        options.unknown(perhaps.length === 0);
        return undefined;
      }
      const drop = (reason: Loss): undefined => {
        count('dropped', { reason });
        lost(sender, reason);
      };
      if (!sender.loggingEnabled) return drop('logging_off');
      const at = Date.now();
      if (!flood.admits(sender.deviceId, at)) return drop('flood');
      const taken = store.take(sender, formatRecord({ at, source: address, line }));
      if (taken !== 'kept') return drop(taken);
      count('lines', { transport });
      if (cut) {
        count('cut', { transport });
        lost(sender, 'cut');
      }
      return transport === 'udp' ? undefined : () => store.pressed(sender);
    },
  });
}
