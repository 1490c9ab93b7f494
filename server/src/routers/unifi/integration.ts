import { z } from 'zod';
import { jsonOf, type PinnedAnswer, type PinnedClient, pinnedClient, readAnswer } from '../pinned-request.ts';
import { type AdmittedGuest, RouterError, type RouterLink, type RouterTarget } from '../router-control.ts';
import { byteCount, macText } from './answers.ts';

/*
 * UniFi's official interface with an API key: Ubiquiti's "External Hotspot API for Authorization" (help.ui.com, 31228198640023;
 * Network 9.1.105 or later) and its reference (developer.ui.com/network, v10.1.68; also in Network › Control Plane ›
 * Integrations). It could not be checked against a controller.
 */

const info = z.object({ applicationVersion: z.string().nullish() });
const refused = z.object({ message: z.string().optional() });
const id = z.string().max(100);
const site = z.object({ id, internalReference: z.string().nullish(), name: z.string().nullish() });
const usage = z.object({ txBytes: byteCount, rxBytes: byteCount }).partial();
const access = z.object({
  authorized: z.boolean().nullish(),
  authorization: z.object({ usage: usage.nullish() }).nullish().catch(undefined),
});
const guest = z.object({ id, macAddress: macText.nullish(), access: access.nullish() });

/** The longest page that the interface sends. */
const pageLength = 200;
/** More than any site has. */
const maxItems = 100_000;
const pageOf = <T>(item: z.ZodType<T>) =>
  z.object({ totalCount: z.number().nullish(), data: z.array(item).max(pageLength) });

const prefixes = ['/proxy/network/integration/v1', '/integration/v1'] as const;

/** The cloud says that it did not reach the console in time, or that it was asked too often. Both pass. */
const passing = [408, 429];

export function refusal(answer: PinnedAnswer): RouterError {
  const said = refused.safeParse(jsonOf(answer)).data?.message;
  if (answer.status === 401 || answer.status === 403)
    return new RouterError('login', said || 'the API key was refused');
  const mayPass = answer.status >= 500 || passing.includes(answer.status);
  return new RouterError(mayPass ? 'unreachable' : 'refused', said || `HTTP ${answer.status}`);
}

export async function findPrefix(client: PinnedClient, headers: Record<string, string>, among: readonly string[]) {
  for (const prefix of among) {
    const answer = await client.ask({ method: 'GET', path: `${prefix}/info`, headers });
    if (answer.status === 404) continue;
    if (answer.status !== 200) throw refusal(answer);
    return { prefix, version: readAnswer(answer, info).applicationVersion ?? '' };
  }
  throw new RouterError('refused', 'this controller has no interface for API keys');
}

export const keyHeaders = ({ password }: RouterTarget) => ({ 'x-api-key': password, accept: 'application/json' });

export async function openIntegration(target: RouterTarget): Promise<RouterLink> {
  const client = pinnedClient(target);
  return linkTo(client, keyHeaders(target), await findPrefix(client, keyHeaders(target), prefixes));
}

/** The link by a client that found its interface. */
export function linkTo(
  client: PinnedClient,
  headers: Record<string, string>,
  { prefix, version }: { readonly prefix: string; readonly version: string },
): RouterLink {
  const ask = async (path: string, body?: object): Promise<PinnedAnswer> => {
    const answer = await client.ask({ method: body ? 'POST' : 'GET', path: prefix + path, headers, body });
    if (answer.status < 200 || answer.status > 299) throw refusal(answer);
    return answer;
  };
  /** The whole list, from pages. It is refused if it changes meanwhile, because an item could then be missing. */
  const list = async <T extends { id: string }>(path: string, item: z.ZodType<T>, filter?: string): Promise<T[]> => {
    const items = new Map<string, T>();
    let total: number | null | undefined;
    while (items.size < maxItems) {
      const offset = items.size;
      const query = new URLSearchParams({
        ...{ offset: String(offset), limit: String(pageLength) },
        ...(filter !== undefined && { filter }),
      });
      const { data, totalCount } = readAnswer(await ask(`${path}?${query}`), pageOf(item));
      for (const each of data) items.set(each.id, each);
      const isSame = items.size === offset + data.length && (offset === 0 || totalCount === total);
      total = totalCount;
      const isWhole = total == null ? data.length < pageLength : items.size >= total;
      if (isSame && isWhole) return [...items.values()];
      if (!isSame || data.length === 0)
        throw new RouterError('refused', 'the list of the controller changed while it was read');
    }
    throw new RouterError('refused', 'the list of the controller does not end');
  };
  const sites = async () => {
    const found = await list('/sites', site);
    if (found.length === 0) throw new RouterError('refused', 'the controller shows no site to this API key');
    return found;
  };
  const clientsOf = (of: string, filter: string) => list(`/sites/${encodeURIComponent(of)}/clients`, guest, filter);
  const act = (of: string, id: string, body: object) =>
    ask(`/sites/${encodeURIComponent(of)}/clients/${encodeURIComponent(id)}/actions`, body);
  const byMac = (mac: string) => `macAddress.eq('${mac.toLowerCase()}')`;
  return {
    certificate: client.certificate(),
    identify: async () => ({ identity: (await sites())[0]?.name ?? 'UniFi', version }),
    admit: async it => {
      const named = it.login.searchParams.get('site') ?? 'default';
      const at = (await sites()).find(each => each.internalReference === named || each.name === named);
      const [found] = at ? await clientsOf(at.id, byMac(it.mac)) : [];
      if (!at || !found) throw new RouterError('refused', 'the controller does not know this guest device');
      await act(at.id, found.id, {
        action: 'AUTHORIZE_GUEST_ACCESS',
        timeLimitMinutes: Math.ceil(it.seconds / 60),
        ...(it.totalBytes !== null && { dataUsageLimitMBytes: Math.max(1, Math.ceil(it.totalBytes / 1_000_000)) }),
        ...(it.downloadBps !== null && { rxRateLimitKbps: kbps(it.downloadBps) }),
        ...(it.uploadBps !== null && { txRateLimitKbps: kbps(it.uploadBps) }),
      });
    },
    // The interface lists connected devices. A phone that sleeps is missing, and stays admitted.
    admitted: async () => {
      const guests: AdmittedGuest[] = [];
      const ended: string[] = [];
      for (const { id } of await sites())
        for (const { macAddress: mac, access: it } of await clientsOf(id, "access.type.eq('GUEST')")) {
          const used = it?.authorization?.usage;
          if (mac && it?.authorized === true)
            guests.push({ mac, upload: used?.txBytes ?? 0, download: used?.rxBytes ?? 0 });
          else if (mac && it?.authorized === false) ended.push(mac);
        }
      return { guests, ended };
    },
    apply: async command => {
      if (command.kind !== 'logout') throw new RouterError('refused', 'the controller takes no such command');
      let isListed = false;
      for (const { id } of await sites())
        for (const found of await clientsOf(id, byMac(command.mac))) {
          isListed = true;
          await act(id, found.id, { action: 'UNAUTHORIZE_GUEST_ACCESS' });
        }
      if (!isListed) throw new RouterError('refused', 'the guest device is not connected to the controller now');
    },
    close: () => undefined,
  };
}

/** The interface takes 2 to 100,000. */
const kbps = (bps: number): number => Math.min(100_000, Math.max(2, Math.floor(bps / 1000)));
