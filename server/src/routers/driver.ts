import type { MikrotikScriptForm } from '@portico/contract/device-setup.ts';
import type { GuestArrival } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { LogReader } from './log-line.ts';
import type { RouterControl, RouterLink } from './router-control.ts';

/**
 * Everything Portico knows about one brand of hotspot gateway. A new brand is one folder and one line in `drivers.ts`; no
 * other code may depend on which brand a device is. Decision 046 gives the reasons.
 */
export interface HotspotDriver {
  /** The `slug` of the brand in the table `brands`. */
  readonly slug: string;
  /** The NAS-Identifiers that its gateways send until an operator sets another one; absent when those tell no brand. */
  readonly calledByDefault?: RegExp;
  /** Guests arrive with the MAC of their device. Without it the browser gets a pseudo MAC until a sign-in shows the real one. */
  readonly tellsMac: boolean;
  /** The gateway asks our RADIUS server about tickets and reports sessions. Otherwise the portal decides and keeps the session. */
  readonly speaksRadius: boolean;
  /** Set if the gateway proves the MAC of an arriving guest. Otherwise a session is shown only to the browser that began it. */
  readonly provesMac?: true;
  /** The portal needs the device's shared secret, to read an arrival or to sign a decision. */
  readonly sharesSecret: boolean;
  /** A refused guest comes back with our Reply-Message. Otherwise the portal looks up why the ticket was refused. */
  readonly tellsRefusal: boolean;
  /** Set when gateways of this brand cannot send guests to an address of their own. */
  readonly sharedEntry?: SharedEntry;
  /** Translates the gateway's own query. Absent when guests arrive with the query of `guestArrival`. */
  readonly readArrival?: (request: ArrivalRequest) => GuestArrival;
  /** The return address only carries facts for `handOver`: no browser goes there, so its host does not matter. */
  readonly returnsNowhere?: true;
  /** Set when some gateways of this brand send their guests to the portal's host and a path of their own. */
  readonly hostEntry?: HostEntry;
  /** Checks that a return address belongs to this device and guest. Absent when the brand's arrival proves nothing. */
  readonly isGenuine?: (it: ReturnCheck) => boolean;
  /** The gateway's own sign-in page, which sends its guest to the portal; null when there is none. */
  readonly signInPage: (device: Pick<HotspotDevice, 'hotspot_address'>) => string | null;
  /** The meaning of the gateway's `error`, for texts that are not our own Reply-Messages. */
  readonly problemOf: (error: string) => GuestProblem | undefined;
  /** Hands the sign-in back to the gateway. */
  readonly handOver: (it: HandOver) => Promise<HandOverResult>;
  /** Hosts with a public name or address that only this vendor's gateways answer at, such as `securelogin.arubanetworks.com`. */
  readonly vendorHost?: (host: string) => boolean;
  /** Commands to end or change a session also name the guest device by Calling-Station-Id (RFC 5176 section 3). */
  readonly commandsNameMac?: true;
  /** The gateway takes neither Disconnect- nor CoA-Requests. */
  readonly takesNoCommands?: true;
  /** The address that ends the session when the browser opens it; null when the gateway has none. */
  readonly signOutUrl: (login: URL, userName: string) => string | null;
  /** Set when the browser has to post a form to the gateway. */
  readonly form?: GatewayForm;
  readonly setup: DeviceSetup;
  /** Whether gateways of this version put the Message-Authenticator into every request. Absent when that is not known. */
  readonly sendsMessageAuthenticator?: (version: string) => boolean;
  /** Set when Portico can send commands to the router. */
  readonly control?: RouterControl;
  /** Set when gateways fetch permissions from us and report ends to us, without RADIUS. */
  readonly pull?: GatewayPull;
  readonly logs: LogReader;
}

/** The columns of a device that drivers read. */
export interface HotspotDevice {
  readonly hotspot_address: string | null;
  /** See `returnAddress`. */
  readonly login_hosts?: readonly string[] | null | undefined;
  /** Only of brands that are identified by it (`hasSerialNumber` in the contract). */
  readonly serial_number: string | null;
}

/** The text values of a query; repeated parameters and text that PostgreSQL cannot store are left out. */
export type TextQuery = Readonly<Record<string, string>>;

export interface ArrivalRequest {
  readonly query: TextQuery;
  /** The same query, read as `guestArrival`. */
  readonly arrival: GuestArrival;
  /** The Referer header. */
  readonly referrer: string;
  /** The whole address that was opened, as the gateway wrote it if it leads to the portal's own address. */
  readonly url: string;
  readonly device: HotspotDevice;
  readonly secret: ReadSecret;
}

/** Decrypts the device's shared secret; undefined if it cannot be decrypted, or the brand does not share it. */
export type ReadSecret = () => string | undefined;

export interface ReturnCheck {
  readonly device: HotspotDevice;
  readonly login: URL;
  readonly mac: string;
  readonly secret: ReadSecret;
}

/** One portal address for all gateways of a brand: the query names the device by its serial number. */
export interface SharedEntry {
  /** Path on the portal's origin, such as `/wg`. */
  readonly path: string;
  readonly read: (query: TextQuery) => {
    readonly serialNumber: string;
    readonly arrival: Partial<GuestArrival>;
    /** The gateway reports that it refused our answer. */
    readonly failed: boolean;
  };
}

/** A path at the portal's host, such as `/guest/s/:site`, whose parameters count as part of the query. */
export interface HostEntry {
  readonly path: string;
  /** `address`: the MAC of the device that the guest came through, as far as the query tells it. */
  readonly read: (query: TextQuery) => { readonly address: string; readonly arrival: GuestArrival };
}

/** The message about an accepted guest to a gateway that does not speak RADIUS. */
export interface Authorization {
  readonly class: string | null;
  /** Null: unlimited. */
  readonly sessionSeconds: number | null;
  readonly idleSeconds: number;
  /** Bits per second; null: unlimited. */
  readonly uploadBps: number | null;
  readonly downloadBps: number | null;
  /** Bytes of both directions together; null: unlimited. */
  readonly totalBytes: number | null;
}

/** A session that the gateway will not report; the portal opens it once the guest is back. */
export interface UnreportedGrant {
  readonly class: string | null;
  /** Unix time in seconds. */
  readonly ends: number;
  /** Names the session, where the gateway has a name for it. */
  readonly key?: string;
}

/** A permission that waits until its gateway fetches it. */
export interface WaitingGrant {
  readonly mac: string;
  readonly class: string | null;
  /** Unix time in seconds, when the session is over at the latest. */
  readonly ends: number;
  readonly key: string;
  readonly minutes: number;
  /** 0: unlimited. */
  readonly uploadKbit: number;
  readonly downloadKbit: number;
  readonly quotaKb: number;
}

/** A session that a gateway ended. */
export interface EndedByGateway {
  readonly key: string;
  readonly mac: string;
  readonly upload: number;
  readonly download: number;
  readonly seconds: number;
  readonly cause: string | undefined;
}

/** The purpose of a gateway's call. */
export type GatewayCall =
  /** It has just started, and knows no guests. */
  | { readonly kind: 'started' }
  | { readonly kind: 'fetch' }
  /** It has signed these guests in. */
  | { readonly kind: 'took'; readonly macs: readonly string[] }
  | { readonly kind: 'ended'; readonly end: EndedByGateway }
  | { readonly kind: 'other' };

/** The guests who are signed in at a gateway, as our script there counts them. */
export interface GatewayReport {
  readonly guests: readonly Omit<EndedByGateway, 'seconds' | 'cause'>[];
}

/** How a gateway calls us over HTTP. Decision 099. */
export interface GatewayPull {
  /** The last parts of the paths: `calls` for the gateway, `script` for our script on it. */
  readonly paths: (secret: string) => { readonly calls: string; readonly script: string };
  /** Undefined for the arrival of a guest, who comes by the same path. */
  readonly read: (fields: TextQuery) => GatewayCall | undefined;
  /** How many permissions fit into one answer. */
  readonly maxGrants: number;
  readonly grants: (grants: readonly WaitingGrant[]) => string;
  /** Undefined if the body is no report. */
  readonly report: (body: string) => GatewayReport | undefined;
  /** The script's answer: the guests that it is to sign out. */
  readonly ends: (macs: readonly string[]) => string;
}

export interface HandOver {
  readonly device: HotspotDevice;
  /** The return address of the guest's arrival. It may carry what the driver needs here. */
  readonly login: URL;
  readonly mac: string;
  /** Serves as user name and password. It is a one-time ticket, or the MAC of a device that needs no sign-in. */
  readonly ticket: string;
  /** The portal page to show once the guest is online. */
  readonly onlineUrl: (grant?: UnreportedGrant) => string;
  readonly secret: ReadSecret;
  /** Opens the device's connection; undefined without one. Rejects with a RouterError. */
  readonly controller: () => Promise<RouterLink | undefined>;
  /** The decision that RADIUS would give, for gateways that do not ask. It uses up the ticket. */
  readonly authorize: () => Promise<Authorization | { readonly problem: GuestProblem }>;
  /** Keeps a permission until the gateway fetches it. */
  readonly queue: (grant: WaitingGrant) => Promise<void>;
}

export type HandOverResult =
  /** `admitted`: the guest is online already, also if its browser never opens the page. */
  | { readonly redirect: string; readonly admitted?: UnreportedGrant }
  /** The guest cannot solve it: the device is not set up correctly. */
  | { readonly misconfigured: true }
  | { readonly problem: GuestProblem };

export interface FormPost {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Used in place of `handOver` where `appliesTo` is true. */
export interface GatewayForm {
  readonly appliesTo: (login: URL) => boolean;
  /** The gateway answers with a page or a redirect for the guest, so the form replaces our page. */
  readonly opensPage?: true;
  /** `onlineUrl`: the portal page to show once the guest is online, for gateways that take it. */
  readonly signIn: (login: URL, ticket: string, onlineUrl: string) => FormPost;
  /** Used in place of `signOutUrl`. */
  readonly signOut?: (login: URL, userName: string) => FormPost;
}

/** Files and scripts for the operator who sets a device up. */
export interface DeviceSetup {
  /** Raised with every change of the sign-in page, because routers keep theirs until they fetch it again. */
  readonly pageVersion?: string;
  /** The file that the router serves as its sign-in page. */
  readonly loginPage?: (it: { readonly portalUrl: string }) => string;
  /** A page that the script fetches, by its name without `.html`; undefined for another name. */
  readonly page?: (name: string, it: { readonly portalUrl: string }) => string | undefined;
  /** The page that the operator pastes into the gateway's own captive portal. */
  readonly portalTemplate?: (it: { readonly portalUrl: string }) => string;
  readonly script?: SetupScript;
  /** Configuration that the operator pastes on the gateway. */
  readonly files?: (it: SetupFacts) => readonly SetupFile[];
}

export interface SetupFile {
  /** The file's name on the gateway. */
  readonly name: string;
  readonly text: string;
}

/** The facts about Portico that a gateway must know. */
export interface SetupFacts {
  readonly nasIdentifier: string;
  readonly secret: string;
  /** Our RADIUS server: a host name or address, and its ports. */
  readonly radius: { readonly host: string; readonly auth_port: number; readonly acct_port: number };
  readonly coaPort: number;
  readonly syslogPort: number;
  /** The address that the gateway sends its guests to. */
  readonly portalUrl: string;
}

export interface SetupScript {
  readonly make: (facts: ScriptFacts) => string;
  /** A line for the router's terminal that fetches a script and runs it. */
  readonly importLine: (url: string) => string;
  readonly undo: (netflowPort: number | undefined) => string;
}

export interface ScriptFacts extends MikrotikScriptForm {
  readonly nasIdentifier: string;
  readonly secret: string;
  /** Our RADIUS server: a host name or address, and its ports. */
  readonly radius: { readonly host: string; readonly auth_port: number; readonly acct_port: number };
  readonly coaPort: number;
  readonly syslogPort: number;
  /** Where the router sends its flow records; undefined when the listener is off. */
  readonly netflowPort?: number | undefined;
  /** Ports of listeners that are off by default. */
  readonly syslogTlsPort?: number | undefined;
  readonly radsecPort?: number | undefined;
  /** The guest portal's origin. */
  readonly captiveUrl: string;
  /** Hosts of payment providers, open to guests before they sign in. */
  readonly openHosts?: readonly string[];
  /** Where the router fetches its pages; it appends `?page=` and a name. */
  readonly loginFileUrl: string;
  /** Where the router fetches its commands, with its own token. */
  readonly poll: { readonly url: string; readonly token: string };
}
