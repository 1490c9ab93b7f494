import { type GuestArrival, guestArrival } from '@portico/contract/guest-forms.ts';
import type { GuestProblem } from '@portico/contract/guest-problems.ts';
import type { ArrivalRequest, FormPost, HotspotDriver, SetupFacts, SetupFile } from '../driver.ts';
import type { LogReader } from '../log-line.ts';
import { problemOfText } from '../refusal-texts.ts';

const nobody = guestArrival.parse({});

/** A value of the gateway's query; empty if it is missing or longer than `max`. */
type QueryValue = (name: string, max?: number) => string;

/** The values in a gateway's own query. */
interface PostArrival {
  readonly mac: string;
  readonly ip?: string;
  /** The address that takes the sign-in. Values that the form has to repeat are in its query. */
  readonly login: string;
  readonly orig?: string;
  /** Why the gateway refused the guest; empty for a guest who has not tried yet. */
  readonly error?: string;
}

interface PostBrand {
  readonly slug: string;
  readonly calledByDefault?: RegExp;
  /** Undefined for the query of our own links. `secure`: the portal uses TLS, so browsers warn of forms without. */
  readonly read: (value: QueryValue, secure: boolean) => PostArrival | undefined;
  /** Whether the gateway takes a sign-in at this address. Strangers can write one into a link. */
  readonly isSignIn: (login: URL) => boolean;
  readonly signIn: (login: URL, ticket: string, onlineUrl: string) => FormPost;
  readonly signOutUrl?: (login: URL) => string | null;
  readonly vendorHost?: (host: string) => boolean;
  /** Set if the gateway shows our Reply-Message. */
  readonly tellsRefusal?: true;
  /** Absent if it takes Disconnect-Requests. */
  readonly takesNoCommands?: true;
  /** Only what differs from the usual texts. */
  readonly problemOf?: (error: string) => GuestProblem | undefined;
  readonly files: (it: SetupFacts) => readonly SetupFile[];
  readonly logs: LogReader;
}

function readArrival(brand: PostBrand, { query, arrival, url }: ArrivalRequest): GuestArrival {
  const value: QueryValue = (name, max = 500) => {
    const text = query[name] ?? '';
    return text.length <= max ? text : '';
  };
  const read = brand.read(value, url.startsWith('https:'));
  if (!read) return arrival;
  // After a refusal pfSense names the page of ours that the form was to lead to as what the guest wanted.
  const { orig = '' } = read;
  const isOurs = URL.canParse(orig) && URL.canParse(url) && new URL(orig).origin === new URL(url).origin;
  // The rules for our own query hold for the gateway's values too.
  return guestArrival.parse({ ...nobody, lang: arrival.lang, ...read, orig: isOurs ? '' : orig });
}

/**
 * A gateway whose guests post a user name and a password to it. It asks RADIUS about them and reports sessions. Nothing in such
 * an arrival is signed. So the return address must be the device's own, and a ticket works with its guest's MAC only.
 */
export const postDriver = (brand: PostBrand): HotspotDriver => ({
  slug: brand.slug,
  ...(brand.calledByDefault && { calledByDefault: brand.calledByDefault }),
  tellsMac: true,
  speaksRadius: true,
  sharesSecret: false,
  // Most show a text of their own for every Access-Reject.
  tellsRefusal: brand.tellsRefusal ?? false,
  readArrival: request => readArrival(brand, request),
  isGenuine: ({ login }) => brand.isSignIn(login),
  signInPage: () => null,
  problemOf: error => brand.problemOf?.(error) ?? problemOfText(error),
  // The form is always used.
  handOver: async () => ({ misconfigured: true }),
  ...(brand.vendorHost && { vendorHost: brand.vendorHost }),
  ...(brand.takesNoCommands ? { takesNoCommands: true } : { commandsNameMac: true }),
  signOutUrl: login => brand.signOutUrl?.(login) ?? null,
  form: { appliesTo: () => true, opensPage: true, signIn: brand.signIn },
  setup: { files: brand.files },
  logs: brand.logs,
});

/** The same address without its query. */
export function plainAddress(login: URL): string {
  const url = new URL(login);
  url.search = '';
  return url.href;
}

/** `http(s)://host:port/path` from a host of the query; empty if that is not a host. */
export function hostAddress(
  host: string,
  rest: { readonly scheme?: string; readonly port?: number; path: string },
): string {
  if (!/^[A-Za-z0-9.-]{1,253}$/.test(host)) return '';
  return `${rest.scheme ?? 'https'}://${host}${rest.port ? `:${rest.port}` : ''}${rest.path}`;
}
