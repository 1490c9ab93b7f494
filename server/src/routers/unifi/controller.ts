import { z } from 'zod';
import {
  cookiesOf,
  jsonOf,
  type PinnedAnswer,
  type PinnedClient,
  pinnedClient,
  readAnswer,
} from '../pinned-request.ts';
import {
  type Admission,
  type AdmittedGuest,
  RouterError,
  type RouterLink,
  type RouterTarget,
} from '../router-control.ts';
import { apiKeyUser, byteCount, macText } from './answers.ts';
import { isUnifiCloud, openUnifiCloud } from './cloud.ts';
import { openIntegration } from './integration.ts';

/*
 * The UniFi Network controller's own interface, as Art-of-WiFi's UniFi-API-client describes it (MIT; Ubiquiti publishes none):
 * a session by cookie, then `cmd/stamgr` with authorize-guest and unauthorize-guest, and `stat/guest` with their use. On UniFi
 * OS it is below /proxy/network. It could not be checked against a controller.
 */

const meta = z.object({ rc: z.string(), msg: z.string().optional() });
const reply = z.object({ meta });
const site = z.object({ name: z.string() });
const about = z.object({ name: z.string().nullish(), version: z.string().nullish() });
const guest = z.object({
  mac: macText,
  expired: z.unknown().optional(),
  rx_bytes: byteCount,
  tx_bytes: byteCount,
});

interface Session {
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Signs in. As other clients do, it tells UniFi OS by its start page. A controller that runs on its own redirects there. For
 * every path that it does not know it answers that a sign-in is missing.
 */
async function signIn(client: PinnedClient, { username, password }: RouterTarget): Promise<Session> {
  const start = await client.ask({ method: 'GET', path: '/' });
  if (start.status >= 500) throw refusal(start);
  const [path, prefix] = start.status === 200 ? ['/api/auth/login', '/proxy/network'] : ['/api/login', ''];
  const answer = await client.ask({ method: 'POST', path, body: { username, password } });
  if (answer.status === 404) throw new RouterError('refused', 'this is not a UniFi controller');
  if (answer.status !== 200) throw refusal(answer);
  const csrf = answer.headers['x-csrf-token'];
  return {
    prefix,
    headers: { cookie: cookiesOf(answer), ...(typeof csrf === 'string' && { 'x-csrf-token': csrf }) },
  };
}

function refusal(answer: PinnedAnswer): RouterError {
  const said = reply.safeParse(jsonOf(answer)).data?.meta.msg;
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    return new RouterError('login', said || 'the controller refused this username or password');
  return new RouterError(answer.status >= 500 ? 'unreachable' : 'refused', said || `HTTP ${answer.status}`);
}

export async function openUnifi(target: RouterTarget): Promise<RouterLink> {
  if (isUnifiCloud(target.host)) return openUnifiCloud(target);
  if (target.username === apiKeyUser) return openIntegration(target);
  const client = pinnedClient(target);
  const { prefix, headers } = await signIn(client, target);
  const ask = async (path: string, body?: object): Promise<PinnedAnswer> => {
    const answer = await client.ask({ method: body ? 'POST' : 'GET', path: prefix + path, headers, body });
    if (answer.status !== 200 || readAnswer(answer, reply).meta.rc !== 'ok') throw refusal(answer);
    return answer;
  };
  const list = async <T>(path: string, item: z.ZodType<T>): Promise<T[]> =>
    readAnswer(await ask(path), z.object({ data: z.array(item) })).data;
  const sites = async () => {
    const names = (await list('/api/self/sites', site)).map(it => it.name);
    if (names.length === 0) throw new RouterError('refused', 'the controller shows no site to this account');
    return names;
  };
  const station = (at: string, body: object) => ask(`/api/s/${encodeURIComponent(at)}/cmd/stamgr`, body);
  return {
    certificate: client.certificate(),
    identify: async () => {
      const [info] = await list('/api/s/default/stat/sysinfo', about);
      return { identity: info?.name ?? 'UniFi', version: info?.version ?? '' };
    },
    admit: async it => {
      const ap = it.login.searchParams.get('ap');
      await station(it.login.searchParams.get('site') ?? 'default', {
        cmd: 'authorize-guest',
        mac: it.mac.toLowerCase(),
        minutes: Math.ceil(it.seconds / 60),
        ...limitsOf(it),
        ...(ap && { ap_mac: ap }),
      });
    },
    admitted: async () => {
      const guests: AdmittedGuest[] = [];
      for (const name of await sites())
        for (const it of await list(`/api/s/${encodeURIComponent(name)}/stat/guest?within=48`, guest))
          if (it.mac && it.expired !== true) guests.push({ mac: it.mac, upload: it.rx_bytes, download: it.tx_bytes });
      return { guests };
    },
    apply: async command => {
      if (command.kind !== 'logout') throw new RouterError('refused', 'the controller takes no such command');
      for (const name of await sites())
        await station(name, { cmd: 'unauthorize-guest', mac: command.mac.toLowerCase() });
    },
    close: () => undefined,
  };
}

/** kbit/s and megabytes, as the controller reads them. */
const limitsOf = (it: Admission) => ({
  ...(it.uploadBps !== null && { up: Math.max(1, Math.floor(it.uploadBps / 1000)) }),
  ...(it.downloadBps !== null && { down: Math.max(1, Math.floor(it.downloadBps / 1000)) }),
  ...(it.totalBytes !== null && { bytes: Math.max(1, Math.ceil(it.totalBytes / 1_000_000)) }),
});
