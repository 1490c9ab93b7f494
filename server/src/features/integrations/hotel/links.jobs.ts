import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '#lib/app.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { CloudLink } from '../cloud/link.ts';
import { FiasLink } from '../fias/link.ts';
import { claimLinks, type LinkRow, releaseLinks } from './hotel-links.queries.ts';
import { forgetStays } from './hotel-stays.queries.ts';

/** Links that a process takes at once, so that several processes share them. */
const maxTaken = 20;
/** Shorter than the lease, so that a process stops before another may begin. */
const holdMs = 12_000;
const keepStaysDays = 30;
const cloudStopMs = 3000;

type Link = FiasLink | CloudLink;
const newLink = (app: App, row: LinkRow, owner: string): Link =>
  row.kind === 'fias' ? new FiasLink(app, row, owner) : new CloudLink(app, row, owner);

interface Holder {
  readonly owner: string;
  readonly links: Map<string, Link>;
  isStopped: boolean;
}
const holders = new WeakMap<App, Holder>();

function holderOf(app: App): Holder {
  const known = holders.get(app);
  if (known) return known;
  const made = { owner: randomUUID(), links: new Map<string, Link>(), isStopped: false };
  holders.set(app, made);
  return made;
}

/** Takes free links, keeps those of this process, and restarts those whose settings changed. */
async function holdLinks(app: App): Promise<void> {
  const holder = holderOf(app);
  if (holder.isStopped) return;
  const askedAt = steadyNow();
  const rows = await app.db.withSystem(tx => claimLinks(tx, holder.owner, maxTaken));
  const wanted = new Map(rows.map(row => [row.id, row]));
  const ended = [...holder.links].filter(([id, link]) => wanted.get(id)?.updated_at !== link.version);
  for (const [id] of ended) holder.links.delete(id);
  const renew = () => {
    for (const row of rows) {
      const link = holder.links.get(row.id);
      if (!link) continue;
      link.heldUntil = askedAt + holdMs;
      if (link instanceof CloudLink) link.ask(row.is_asked);
    }
  };
  // Before the others have stopped: their ends must not cost these their lease.
  renew();
  await stopLinks(ended.map(([, link]) => link));
  if (holder.isStopped) return;
  for (const row of rows) if (!holder.links.has(row.id)) holder.links.set(row.id, newLink(app, row, holder.owner));
  renew();
}

/**
 * Stops links. The next connection to a cloud need not wait for the answer about a charge. The lease guards all writes, and a
 * charge without an answer is looked up before it is sent again.
 */
async function stopLinks(links: readonly Link[]): Promise<void> {
  await Promise.all(links.map(link => (link instanceof CloudLink ? void link.stop() : link.stop())));
}

/** Ends the links of this process, so that another one takes them at once. */
export async function stopHotelLinks(app: App): Promise<void> {
  const holder = holders.get(app);
  if (!holder || holder.isStopped) return;
  holder.isStopped = true;
  const links = [...holder.links.values()];
  // A charge that is being sent may get its answer.
  const clouds = Promise.all(links.filter(it => it instanceof CloudLink).map(link => link.stop()));
  await stopLinks(links.filter(it => it instanceof FiasLink));
  await Promise.race([clouds, sleep(cloudStopMs, undefined, { ref: false })]);
  await app.db.withSystem(tx => releaseLinks(tx, holder.owner));
}

export const hotelLinkJobs = [
  { name: 'hold hotel links', everyMs: 2000, run: holdLinks },
  {
    name: 'forget stays that are over',
    everyMs: 6 * 3_600_000,
    erases: true as const,
    run: async (app: App) => {
      await app.db.withSystem(tx => forgetStays(tx, keepStaysDays));
    },
  },
];
