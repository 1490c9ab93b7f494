import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';

/**
 * Names that operators typed. `lookup()` of Node takes one of the few threads of the process until the name servers of that name
 * answer, and a stranger's never do. Then all other names would wait, also those of the database. See docs/decisions/180.
 */

/** Tests put their name servers here. */
export const nameServers: string[] = [];

/** How long a name may take, and one question to a name server. Tests change them, because machines are slow at times. */
export const patience = { ms: 5000, ofServerMs: 2000 };

const noAnswer = () => Object.assign(new Error('the name servers do not answer'), { code: 'EAI_AGAIN' });

/** A stranger's name servers are not asked for these. */
const isLocal = (name: string): boolean => !name.includes('.') || /\.localhost$/i.test(name);

const system = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);

async function inHostsFile(name: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  const lines = text.split('\n').map(line => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/));
  return lines.filter(([, ...names]) => names.includes(name.toLowerCase())).flatMap(([address]) => address ?? []);
}

/** A machine without an IPv4 address of its own may reach IPv6 only. */
const prefersIpv6 = (): boolean =>
  !Object.values(networkInterfaces()).some(it => it?.some(({ family, internal }) => family === 'IPv4' && !internal));

let last: Promise<unknown> = Promise.resolve();

/** One at a time, so that a thread is left for others. */
function systemInTurn(name: string, signal: AbortSignal): Promise<string[]> {
  const mine = last.then(() => {
    signal.throwIfAborted();
    return system(name);
  });
  last = mine.catch(() => undefined);
  const gaveUp = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(noAnswer())));
  return Promise.race([mine, gaveUp]);
}

/** The addresses of a name, for at most some seconds. */
export async function lookUp(typed: string): Promise<string[]> {
  const name = typed.replace(/\.$/, '');
  if (isLocal(name)) return system(name);
  const own = await inHostsFile(name);
  if (own.length) return own;
  const signal = AbortSignal.timeout(patience.ms);
  const resolver = new Resolver({ timeout: patience.ofServerMs, tries: 2 });
  if (nameServers.length) resolver.setServers(nameServers);
  signal.addEventListener('abort', () => resolver.cancel());
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.map(it => (it.status === 'fulfilled' ? it.value : []));
  const addresses = (prefersIpv6() ? found.reverse() : found).flat();
  if (addresses.length) return addresses;
  const isSilent = answers.some(
    it => it.status === 'rejected' && ['ETIMEOUT', 'ECANCELLED'].includes((it.reason as { code: string }).code),
  );
  if (isSilent) throw noAnswer();
  // It may be known by a search domain, or to this machine in another way.
  return systemInTurn(name, signal);
}
