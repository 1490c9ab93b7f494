import type { Packet } from '@portico/radius/packet.ts';
import type { RadiusDevice } from './types.ts';

/** A request of a device, received over UDP or TLS. */
export interface Arrival {
  /** The name of the listener, for the counters. */
  readonly listener: string;
  readonly kind: 'auth' | 'acct';
  readonly packet: Packet;
  readonly device: RadiusDevice;
  /** Identifies the sender's socket. */
  readonly socket: string;
  readonly sourceIp: string;
  readonly receivedAt: Date;
  /** When it was received, by the steady clock. */
  readonly since: number;
  /** Called exactly once: with the reply, or without one and perhaps with the reason. */
  readonly answer: (reply: Buffer | undefined, reason?: string) => void;
  /** Called when a valid Message-Authenticator shows that the device sends it. */
  readonly learned: () => void;
}

/** A queued request with the facts that its handler needs. */
export interface Waiting<T> extends Arrival {
  readonly item: T;
}
