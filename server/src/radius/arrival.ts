import type { Packet } from '@portico/radius/packet.ts';
import type { RadiusDevice } from './types.ts';

/** A request of a device, whichever way it came. */
export interface Arrival {
  /** The name of its way, for the counters. */
  readonly listener: string;
  readonly kind: 'auth' | 'acct';
  readonly packet: Packet;
  readonly device: RadiusDevice;
  /** Identifies the sender's socket. */
  readonly socket: string;
  readonly sourceIp: string;
  readonly receivedAt: Date;
  /** Called exactly once: with what goes back, or with nothing and perhaps the reason why there is no answer. */
  readonly answer: (reply: Buffer | undefined, reason?: string) => void;
  /** The device has shown that it sends the Message-Authenticator. */
  readonly learned: () => void;
}

/** With what is to be decided about it. */
export interface Waiting<T> extends Arrival {
  readonly item: T;
}
