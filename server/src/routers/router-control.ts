import type { RouterProtocol } from '@portico/contract/router-control.ts';
import { oneLine } from '#lib/one-line.ts';

/** One entry of a router's list of guest devices. It holds for the addresses of one network, or everywhere. */
export interface Binding {
  readonly type: 'blocked' | 'bypassed';
  readonly address: string | null;
}

/**
 * A command describes the wanted state, so repeating it changes nothing.
 * `bindings`: the complete list for a MAC. `open`: whether the hotspot is on.
 */
export type DeviceCommand =
  | { readonly kind: 'bindings'; readonly mac: string; readonly bindings: readonly Binding[]; readonly open: boolean }
  | { readonly kind: 'hotspot'; readonly open: boolean }
  | { readonly kind: 'logout'; readonly mac: string };

export interface PollCommand {
  readonly id: string;
  readonly command: DeviceCommand;
}

/** The ways in which a router gets its commands. */
export interface RouterControl {
  /** Signs in to the router or its controller; rejects with a RouterError. */
  readonly open: (target: RouterTarget) => Promise<RouterLink>;
  /** The commands that it takes. */
  readonly takes: readonly DeviceCommand['kind'][];
  /** Its links have `admitted`. */
  readonly tellsAdmitted?: true;
  /** Set if routers of this brand can fetch their commands. */
  readonly polling?: RouterPolling;
}

/** The facts about the installation that a tenant moved to, for its routers. */
export interface ArrivalFacts {
  readonly radius: { readonly host: string; readonly auth_port: number; readonly acct_port: number };
  readonly coaPort: number;
  readonly syslogPort: number;
  readonly netflowPort: number | undefined;
  readonly captiveUrl: string;
  /** The hosts of providers of payments and sign-ins. */
  readonly openHosts: readonly string[];
  readonly nasIdentifier: string;
  readonly loginFileUrl: string;
  /** Where the router reports that it is done, and the id that it reports. */
  readonly report: { readonly url: string; readonly token: string; readonly id: string };
}

/** The hosts that guests reach before they are online, besides the portal. */
export interface OpenHosts {
  readonly hosts: readonly string[];
  /** False if a provider did not tell all of its hosts. Then those that a router has opened stay open. */
  readonly isComplete: boolean;
}

export interface RouterPolling {
  /** A script for a router that polls, and how many of the commands fit into it. */
  readonly script: (
    commands: readonly PollCommand[],
    router: { readonly url: string; readonly token: string; readonly version: string | null },
  ) => { readonly script: string; readonly count: number };
  /** Lines for a router whose tenant moved: from its next poll on it asks at the new address. */
  readonly moved: (poll: { readonly url: string; readonly token: string }) => string;
  /** The first script after the move: all that names the server, for this installation. */
  readonly arrive: (facts: ArrivalFacts) => string;
  /**
   * Lines that fetch the pages of the router that are missing, for a router that lost them at a restart. They also open the hosts
   * that guests reach before they are online, and close those of providers that are gone.
   */
  readonly pages: (url: string, open: OpenHosts) => string;
  /** The line at which a polled command stopped, by the index that the router reported. */
  readonly line: (command: DeviceCommand, index: number) => string | undefined;
}

/** A guest that the portal lets a controller admit. Null: unlimited. */
export interface Admission {
  readonly mac: string;
  /** The packed facts of the guest's arrival. */
  readonly login: URL;
  readonly seconds: number;
  readonly uploadBps: number | null;
  readonly downloadBps: number | null;
  readonly totalBytes: number | null;
}

/** A guest whom the controller admits now, with the bytes from and to the guest. */
export interface AdmittedGuest {
  readonly mac: string;
  readonly upload: number;
  readonly download: number;
}

/** The state of the sessions of a controller's guests. */
export interface Admissions {
  readonly guests: readonly AdmittedGuest[];
  /** MAC addresses that it no longer admits. Undefined: all that `guests` leaves out. */
  readonly ended?: readonly string[];
}

export interface RouterTarget {
  readonly host: string;
  /** The address that the host name resolved to and that may be connected to. */
  readonly address: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly protocol: RouterProtocol;
  /** The required SHA-256 of the certificate; undefined accepts any, and `RouterLink.certificate` tells which. */
  readonly pin: string | undefined;
  /** Limits the whole conversation with the router. */
  readonly timeoutMs: number;
}

/** A signed-in connection to a router. */
export interface RouterLink {
  /** SHA-256 of the router's certificate; null without TLS. */
  readonly certificate: string | null;
  readonly identify: () => Promise<{ identity: string; version: string }>;
  readonly apply: (command: DeviceCommand) => Promise<void>;
  /** Only brands whose portal decides have it. */
  readonly admit?: (it: Admission) => Promise<void>;
  readonly admitted?: () => Promise<Admissions>;
  readonly close: () => void;
}

/**
 * Why a router did not apply a command, in words for an operator. `unreachable` may pass by itself; `login`, `certificate`
 * and `refused` last until an operator changes something.
 */
export class RouterError extends Error {
  override readonly name = 'RouterError';
  readonly kind: 'unreachable' | 'login' | 'certificate' | 'refused';
  constructor(kind: RouterError['kind'], text: string) {
    super(oneLine(text));
    this.kind = kind;
  }
}

/** Any error as a RouterError; unexpected ones count as `unreachable`. */
export const asRouterError = (error: unknown): RouterError =>
  error instanceof RouterError
    ? error
    : new RouterError(
        'unreachable',
        (error as AggregateError).errors?.[0]?.message ?? (error instanceof Error ? error.message : String(error)),
      );
