import { jsonOf, type PinnedAnswer, type PinnedClient, pinnedClient } from '../pinned-request.ts';
import { type AdmittedGuest, RouterError, type RouterLink, type RouterTarget } from '../router-control.ts';

/*
 * UniFi's official interface with an API key: Ubiquiti's "External Hotspot API for Authorization" (help.ui.com, 31228198640023;
 * Network 9.1.105 or later) and its reference in Network › Control Plane › Integrations. It could not be checked against a
 * controller.
 */

interface Page {
  readonly data?: readonly Record<string, unknown>[];
  readonly message?: string;
}

const prefixes = ['/proxy/network/integration/v1', '/integration/v1'] as const;

function refusal(answer: PinnedAnswer): RouterError {
  const said = (jsonOf(answer) as Page | undefined)?.message;
  if (answer.status === 401 || answer.status === 403)
    return new RouterError('login', said || 'the API key was refused');
  return new RouterError(answer.status >= 500 ? 'unreachable' : 'refused', said || `HTTP ${answer.status}`);
}

async function findPrefix(client: PinnedClient, headers: Record<string, string>) {
  for (const prefix of prefixes) {
    const answer = await client.ask({ method: 'GET', path: `${prefix}/info`, headers });
    if (answer.status === 404) continue;
    if (answer.status !== 200) throw refusal(answer);
    return {
      prefix,
      version: String((jsonOf(answer) as Record<string, unknown> | undefined)?.['applicationVersion'] ?? ''),
    };
  }
  throw new RouterError('refused', 'this controller has no interface for API keys');
}

export async function openIntegration(target: RouterTarget): Promise<RouterLink> {
  const client = pinnedClient(target);
  const headers = { 'x-api-key': target.password, accept: 'application/json' };
  const { prefix, version } = await findPrefix(client, headers);
  const ask = async (path: string, body?: object): Promise<Page> => {
    const answer = await client.ask({ method: body ? 'POST' : 'GET', path: prefix + path, headers, body });
    if (answer.status < 200 || answer.status > 299) throw refusal(answer);
    return (jsonOf(answer) as Page | undefined) ?? {};
  };
  const sites = async () => (await ask('/sites?limit=200')).data ?? [];
  const clientsOf = async (site: unknown, filter: string) =>
    (await ask(`/sites/${encodeURIComponent(String(site))}/clients?limit=200&filter=${encodeURIComponent(filter)}`))
      .data ?? [];
  const act = (site: unknown, guest: unknown, body: object) =>
    ask(`/sites/${encodeURIComponent(String(site))}/clients/${encodeURIComponent(String(guest))}/actions`, body);
  const byMac = (mac: string) => `macAddress.eq('${mac.toLowerCase()}')`;
  return {
    certificate: client.certificate(),
    identify: async () => ({ identity: String((await sites())[0]?.['name'] ?? 'UniFi'), version }),
    admit: async it => {
      const named = it.login.searchParams.get('site') ?? 'default';
      const site = (await sites()).find(each => each['internalReference'] === named || each['name'] === named);
      const [guest] = site ? await clientsOf(site['id'], byMac(it.mac)) : [];
      if (!site || !guest) throw new RouterError('refused', 'the controller does not know this guest device');
      await act(site['id'], guest['id'], {
        action: 'AUTHORIZE_GUEST_ACCESS',
        timeLimitMinutes: Math.ceil(it.seconds / 60),
        ...(it.totalBytes !== null && { dataUsageLimitMBytes: Math.max(1, Math.ceil(it.totalBytes / 1_000_000)) }),
        ...(it.downloadBps !== null && { rxRateLimitKbps: kbps(it.downloadBps) }),
        ...(it.uploadBps !== null && { txRateLimitKbps: kbps(it.uploadBps) }),
      });
    },
    admitted: async () => {
      const found: AdmittedGuest[] = [];
      for (const site of await sites())
        for (const it of await clientsOf(site['id'], "access.type.eq('GUEST')")) {
          const access = (it['access'] ?? {}) as {
            authorized?: unknown;
            authorization?: { usage?: Record<string, unknown> };
          };
          const usage = access.authorization?.usage;
          if (access.authorized === true)
            found.push({
              mac: String(it['macAddress']).toUpperCase(),
              upload: count(usage?.['txBytes']),
              download: count(usage?.['rxBytes']),
            });
        }
      return found;
    },
    apply: async command => {
      if (command.kind !== 'logout') throw new RouterError('refused', 'the controller takes no such command');
      for (const site of await sites())
        for (const guest of await clientsOf(site['id'], byMac(command.mac)))
          await act(site['id'], guest['id'], { action: 'UNAUTHORIZE_GUEST_ACCESS' });
    },
    close: () => undefined,
  };
}

/** The interface takes 2 to 100,000. */
const kbps = (bps: number): number => Math.min(100_000, Math.max(2, Math.floor(bps / 1000)));

const count = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, value as number) : 0);
