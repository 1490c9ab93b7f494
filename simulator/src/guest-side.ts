import type { GuestDevice, HotspotSession, Traffic } from './session.ts';

export type SignInOutcome =
  | { readonly outcome: 'accepted'; readonly session: HotspotSession }
  | { readonly outcome: 'rejected'; readonly message: string }
  | { readonly outcome: 'no-answer' };

/** The answer to a challenge of the gateway, made with the password elsewhere. */
export interface ChapAnswer {
  readonly challenge: Buffer;
  readonly response: Buffer;
}

/** The actions of a guest at a router. */
export interface GuestSide {
  readonly nasIdentifier: string;
  /** Gives a guest's device an address (DHCP). The same MAC keeps its address while it stays. */
  readonly lease: (device: { readonly mac: string; readonly name?: string }) => GuestDevice;
  readonly signIn: (device: GuestDevice, username: string, password: string | ChapAnswer) => Promise<SignInOutcome>;
  readonly signOut: (device: GuestDevice) => void;
  /** The guest leaves without signing out; the router notices two minutes later. */
  readonly walkAway: (device: GuestDevice) => void;
  /** Traffic of the device's session; none when it has no session. */
  readonly use: (device: GuestDevice, traffic: Traffic) => void;
  readonly session: (mac: string) => HotspotSession | undefined;
}
