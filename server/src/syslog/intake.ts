import { openDoor } from './door.ts';
import { createFloodLimit } from './flood-limit.ts';
import type { RawStore } from './raw-store.ts';
import { formatRecord } from './record.ts';
import type { Senders } from './senders.ts';

export interface IntakeOptions {
  readonly host: string;
  /** UDP and TCP; 0 takes a free one. */
  readonly port: number;
  readonly senders: Senders;
  readonly store: RawStore;
  /** Asked when a sender is unknown: it may have been added a moment ago. */
  readonly unknown: () => void;
  readonly count: (name: 'lines' | 'dropped' | 'cut', labels: { readonly [name: string]: string }) => void;
  readonly failed: (where: string, error: unknown) => void;
  /** Lines a second of one device, with as many at once on top. */
  readonly linesPerSecond?: number | undefined;
  /** Bytes of a line. */
  readonly longest?: number | undefined;
}

export interface Intake {
  readonly port: number;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Listens for log lines and keeps those of known devices. Rejects when the port cannot be bound; nothing makes it throw later. */
export async function startIntake(options: IntakeOptions): Promise<Intake> {
  const { senders, store, count, longest = 8192 } = options;
  const flood = createFloodLimit(options.linesPerSecond ?? 10_000);
  return openDoor({
    host: options.host,
    port: options.port,
    longest,
    pressed: store.pressed,
    failed: options.failed,
    receive({ line, address, transport, cut }) {
      const sender = senders.identify(line, address);
      if (!sender) {
        count('dropped', { reason: 'unknown_sender' });
        options.unknown();
        return;
      }
      if (!sender.loggingEnabled) return count('dropped', { reason: 'logging_off' });
      const at = Date.now();
      if (!flood.admits(sender.deviceId, at)) return count('dropped', { reason: 'flood' });
      const taken = store.take(sender, formatRecord({ at, source: address, line }));
      if (taken !== 'kept') return count('dropped', { reason: taken });
      count('lines', { transport });
      if (cut) count('cut', { transport });
    },
  });
}
