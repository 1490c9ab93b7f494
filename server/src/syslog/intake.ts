import { createFloodLimit } from './flood-limit.ts';
import { openListener, type SenderCertificate, type TlsOptions } from './listener.ts';
import type { LineProof } from './proof.ts';
import type { RawStore, TakeResult } from './raw-store.ts';
import { formatRecord } from './record.ts';
import type { LogSender, SenderMatch, Senders } from './senders.ts';

/** Why a line of a known device was dropped or truncated. */
export type DropReason = Exclude<TakeResult, 'kept'> | 'flood' | 'logging_off' | 'unnamed' | 'unproven' | 'cut';

export interface IntakeOptions {
  readonly host: string;
  /** For UDP and TCP; 0 means a free port. */
  readonly port: number;
  readonly senders: Senders;
  readonly store: Pick<RawStore, 'take' | 'overloaded'>;
  /**
   * Called when no known device has proven the source address, because it may have done so a moment ago. `unassigned`: the
   * line names no device either.
   */
  readonly unknown: (unassigned: boolean) => void;
  /** Called for a line that names a device but comes from an address that the device has not proven. */
  readonly quarantine: (device: LogSender, line: string, address: string) => void;
  readonly count: (
    name: 'lines' | 'dropped' | 'cut' | 'refused' | 'turnedAway',
    labels: { readonly [name: string]: string },
  ) => void;
  readonly dropped: (device: LogSender, reason: DropReason) => void;
  readonly failed: (where: string, error: unknown) => void;
  /** Lines per second of one device from one address, with a burst of twice as many. */
  readonly linesPerSecond?: number | undefined;
  readonly tls?: TlsOptions | undefined;
  /** The maximum length of a line. */
  readonly maxBytes?: number | undefined;
}

export interface Intake {
  readonly port: number;
  readonly tlsPort: number | undefined;
  readonly connections: () => number;
  readonly busySenders: () => number;
  readonly close: () => Promise<void>;
}

/** Listens for log lines and stores those of known devices. Rejects if the port cannot be bound; it never throws later. */
export async function startIntake(options: IntakeOptions): Promise<Intake> {
  const { senders, store, count, dropped, maxBytes = 8192 } = options;
  const flood = createFloodLimit(options.linesPerSecond ?? 10_000);
  return openListener({
    host: options.host,
    port: options.port,
    maxBytes,
    tls: options.tls,
    overloaded: () => store.overloaded(),
    failed: options.failed,
    refused: () => count('refused', {}),
    turnedAway: reason => count('turnedAway', { reason }),
    receive({ line, address, transport, cut, certified }) {
      // A certificate proves the sender, so the names in the line do not count.
      const found = certified === undefined ? senders.identify(line, address) : certifiedSender(senders, certified);
      if (found.kind !== 'proven') {
        count('dropped', { reason: found.kind === 'unproven' ? 'unproven_sender' : 'unknown_sender' });
        if (found.kind === 'ambiguous') for (const sender of found.senders) dropped(sender, 'unnamed');
        if (found.kind === 'unproven' && found.sender.loggingEnabled) {
          dropped(found.sender, 'unproven');
          options.quarantine(found.sender, line, address);
        }
        options.unknown(found.kind === 'unknown');
        return undefined;
      }
      const { sender, proof } = found;
      const drop = (reason: DropReason): undefined => {
        count('dropped', { reason });
        dropped(sender, reason);
      };
      if (!sender.loggingEnabled) return drop('logging_off');
      const at = Date.now();
      if (!flood.admits(`${sender.deviceId} ${address}`, at)) return drop('flood');
      const taken = store.take(sender, formatRecord({ at, source: address, origin: { transport, proof }, line }));
      if (taken !== 'kept') return drop(taken);
      count('lines', { transport });
      if (cut) {
        count('cut', { transport });
        dropped(sender, 'cut');
      }
      return transport === 'udp' ? undefined : () => store.overloaded(sender);
    },
  });
}

type Certified = { readonly kind: 'proven'; readonly sender: LogSender; readonly proof: LineProof };

function certifiedSender(
  senders: Senders,
  by: SenderCertificate,
): Certified | Extract<SenderMatch, { kind: 'unknown' }> {
  const sender = 'name' in by ? senders.byName(by.name) : senders.byCertificate(by.fingerprint);
  return sender ? { kind: 'proven', sender, proof: 'certificate' } : { kind: 'unknown' };
}
