import type { Answer } from '#features/room-charges/public.ts';
import type { HotelStay } from '../hotel/stays.ts';
import type { TestResult } from '../kinds/kind.ts';
import { IntegrationError } from '../problems.ts';

/** The part that differs between hotel systems in the cloud. Amounts are in minor units. */

/** A charge to a room, or what is taken back of one (below 0). */
export interface CloudPosting {
  readonly reservation: string;
  readonly amount: number;
  readonly currency: string;
  readonly words: string;
  /** The charge that this posting reverses: its reference, and its bill if the system has several. */
  readonly charge?: { readonly reference: string; readonly bill: string | null };
  /** By which the system knows the posting. It is in no other posting. */
  readonly reference: string;
  /** When it was sent first. */
  readonly firstSentAt: Date;
}

export type Booked = Extract<Answer, { state: 'posted' }>;

export interface CloudHotel {
  /** All guests in the house. It throws instead of returning a part of them. `signal` gives the read up. */
  readStays(timeZone: string, signal?: AbortSignal): Promise<HotelStay[]>;
  /** The posting, if it is on a bill already. It throws if that cannot be told. */
  findBooked(posting: CloudPosting): Promise<Booked | undefined>;
  /** Books the posting. Any error besides NotSent leaves it in doubt. */
  book(posting: CloudPosting): Promise<Answer>;
  /** Has the system report changes to this address, if it can be told so. */
  subscribe?(url: string): Promise<void>;
  test(): Promise<TestResult[]>;
}

/** The request had no effect for certain, so that it may be repeated later. */
export class NotSent extends IntegrationError {}

/** The system wants no requests for a while. */
export class TooManyRequests extends NotSent {
  readonly waitMs: number;
  constructor(waitMs: number) {
    super('too_many_requests');
    this.waitMs = waitMs;
  }
}
