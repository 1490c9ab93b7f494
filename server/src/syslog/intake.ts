import { createFloodLimit } from './flood-limit.ts';
import { openListener, type TlsOptions } from './listener.ts';
import type { LineProof } from './proof.ts';
import type { RawStore, Taken } from './raw-store.ts';
import { formatRecord } from './record.ts';
import type { LogSender, Senders, Sending } from './senders.ts';

/** Why a line of a known device was not kept, or not whole. */
export type DropReason = Exclude<Taken, 'kept'> | 'flood' | 'logging_off' | 'unnamed' | 'unproven' | 'cut';

export interface IntakeOptions {
  readonly host: string;
  /** UDP and TCP; 0 takes a free one. */
  readonly port: number;
  readonly senders: Senders;
  readonly store: Pick<RawStore, 'take' | 'overloaded'>;
  /** Called when no device has proven the source address: it may have done so a moment ago. `unassigned`: no device is named either. */
  readonly unknown: (unassigned: boolean) => void;
  /** Takes a line that names a device from an address which the device has not proven. */
  readonly quarantine: (device: LogSender, line: string, address: string) => void;
  readonly count: (
    name: 'lines' | 'dropped' | 'cut' | 'refused' | 'turnedAway',
    labels: { readonly [name: string]: string },
  ) => void;
  readonly lost: (device: LogSender, why: DropReason) => void;
  readonly failed: (where: string, error: unknown) => void;
  /** Lines a second of one device from one address, with as many at once on top. */
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
  return openListener({
    host: options.host,
    port: options.port,
    longest,
    tls: options.tls,
    overloaded: () => store.overloaded(),
    failed: options.failed,
    refused: () => count('refused', {}),
    turnedAway: reason => count('turnedAway', { reason }),
    receive({ line, address, transport, cut, certified }) {
      // A certificate proves the sender; the names in the line do not count then.
      const found = certified === undefined ? senders.identify(line, address) : certifiedSender(senders, certified);
      if (found.kind !== 'proven') {
        count('dropped', { reason: found.kind === 'unproven' ? 'unproven_sender' : 'unknown_sender' });
        if (found.kind === 'ambiguous') for (const one of found.senders) lost(one, 'unnamed');
        if (found.kind === 'unproven' && found.sender.loggingEnabled) {
          lost(found.sender, 'unproven');
          options.quarantine(found.sender, line, address);
        }
        options.unknown(found.kind === 'unknown');
        return undefined;
      }
      const { sender, proof } = found;
      const drop = (reason: DropReason): undefined => {
        count('dropped', { reason });
        lost(sender, reason);
      };
      if (!sender.loggingEnabled) return drop('logging_off');
      const at = Date.now();
      if (!flood.admits(`${sender.deviceId} ${address}`, at)) return drop('flood');
      const taken = store.take(sender, formatRecord({ at, source: address, origin: { transport, proof }, line }));
      if (taken !== 'kept') return drop(taken);
      count('lines', { transport });
      if (cut) {
        count('cut', { transport });
        lost(sender, 'cut');
      }
      return transport === 'udp' ? undefined : () => store.overloaded(sender);
    },
  });
}

type Certified = { readonly kind: 'proven'; readonly sender: LogSender; readonly proof: LineProof };

function certifiedSender(senders: Senders, name: string): Certified | Extract<Sending, { kind: 'unknown' }> {
  const sender = senders.byName(name);
  return sender ? { kind: 'proven', sender, proof: 'certificate' } : { kind: 'unknown' };
}
