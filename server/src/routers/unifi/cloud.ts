import { z } from 'zod';
import { type PinnedClient, pinnedClient, readAnswer } from '../pinned-request.ts';
import { RouterError, type RouterLink, type RouterTarget } from '../router-control.ts';
import { apiKeyUser } from './answers.ts';
import { findPrefix, keyHeaders, linkTo, refusal } from './integration.ts';

/*
 * A UniFi console through Ubiquiti's cloud, for consoles that our server cannot reach: "Connector" (developer.ui.com/network,
 * v10.1.68; UniFi OS 5.0.3 or later) passes requests of the official interface on to a console, and "List Hosts"
 * (developer.ui.com/site-manager, v1.0.0) names the consoles of a key. It could not be checked against the cloud.
 */

const host = 'api.ui.com';
export const isUnifiCloud = (name: string): boolean => name.toLowerCase() === host;

const maxPages = 20;
const maxNamed = 5;
const hosts = z.object({
  data: z.array(
    z.object({
      id: z.string().max(200),
      reportedState: z.object({ name: z.string().nullish() }).nullish().catch(undefined),
    }),
  ),
  nextToken: z.string().nullish(),
});

/** The only console that the key sees. */
async function onlyConsole(client: PinnedClient, headers: Record<string, string>): Promise<string> {
  const found: z.output<typeof hosts>['data'] = [];
  let next: string | null | undefined = '';
  for (let pages = 0; next !== undefined && next !== null && found.length <= maxNamed && pages < maxPages; pages += 1) {
    const query = new URLSearchParams({ pageSize: '100', ...(next && { nextToken: next }) });
    const answer = await client.ask({ method: 'GET', path: `/v1/hosts?${query}`, headers });
    if (answer.status !== 200) throw refusal(answer);
    const page: z.output<typeof hosts> = readAnswer(answer, hosts);
    found.push(...page.data);
    next = page.nextToken || undefined;
  }
  if (found.length === 0) throw new RouterError('refused', 'this API key sees no console');
  if (found.length === 1) return found[0]!.id;
  const named = found.slice(0, maxNamed).map(it => `${(it.reportedState?.name || '?').slice(0, 60)}: ${it.id}`);
  const more = found.length > maxNamed ? ' …' : '';
  throw new RouterError('refused', `this API key sees several consoles. Username: one of ${named.join(', ')}${more}`);
}

/** The user name is the console's id, or `api-key` if the key sees one console only. */
export async function openUnifiCloud(target: RouterTarget): Promise<RouterLink> {
  const client = pinnedClient(target, { byAuthority: true });
  const headers = keyHeaders(target);
  const id = target.username === apiKeyUser ? await onlyConsole(client, headers) : target.username;
  const prefix = `/v1/connector/consoles/${encodeURIComponent(id)}/proxy/network/integration/v1`;
  return linkTo(client, headers, await findPrefix(client, headers, [prefix]));
}
