import type { Tx } from '#db/tenant.ts';
import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import { type ArchivedBatch, listArchived } from './archive.queries.ts';
import type { Span, TenantArchive } from './archive-store.ts';
import { sessionArchive } from './configured-archive.ts';

/** The reader of both stores. `read` runs a reading transaction of the tenant, whose work may run twice. */
export interface Reader {
  readonly app: Pick<App, 'settings'>;
  readonly tenantId: string;
  readonly read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
}

/** Locations are up to 27 hours apart. */
const slack = 28 * 3_600_000_000;
const attempts = 5;
/** Installations where nothing was archived lately: LOG_DATABASE_URL may be set for log lines only. */
const nothingArchived = new WeakSet<App['settings']>();

/** The batches with sessions that began in a time. */
export const within = <B extends Span>(batches: readonly B[], { since, until }: Span): B[] =>
  batches.filter(it => it.since < until + slack && it.until > since - slack);

/** Whether nothing has moved to or from the archive. */
export const isSame = (before: readonly ArchivedBatch[], after: readonly ArchivedBatch[]): boolean =>
  before.length === after.length && before.every(({ batch }, n) => batch === after[n]!.batch);

/**
 * Reads sessions here and in the archive as one list. `prepare` resolves here what the archive cannot know, with the time in which
 * the sessions began. `find` asks the archive. `answer` reads here and adds what was found.
 *
 * The archive is asked between two transactions, because it may take seconds. So both compare what was archived: when a month moved
 * in between, its sessions would be missing or there twice, and the answer is made again.
 */
export async function acrossArchive<P extends { readonly span: Span }, A, T>(
  { app, tenantId, read }: Reader,
  steps: {
    readonly prepare: (tx: Tx, batches: readonly ArchivedBatch[]) => Promise<P>;
    readonly find: (archive: TenantArchive, prepared: P) => Promise<A>;
    readonly answer: (tx: Tx, found: A | undefined) => Promise<T>;
  },
): Promise<T> {
  const archive = sessionArchive(app.settings);
  if (!archive) return read(tx => steps.answer(tx, undefined));
  // If nothing is archived after the answer, all its sessions were here.
  if (nothingArchived.has(app.settings)) {
    const { answer, after } = await read(async tx => ({
      answer: await steps.answer(tx, undefined),
      after: await listArchived(tx),
    }));
    if (after.length === 0) return answer;
    nothingArchived.delete(app.settings);
  }
  for (let i = 0; i < attempts; i++) {
    const { before, prepared } = await read(async tx => {
      const batches = await listArchived(tx);
      return { before: batches, prepared: batches.length > 0 ? await steps.prepare(tx, batches) : undefined };
    });
    const batches = prepared ? within(before, prepared.span) : [];
    const found =
      prepared && batches.length > 0 ? await steps.find(archive.of(tenantId, batches), prepared) : undefined;
    const { answer, after } = await read(async tx => ({
      answer: await steps.answer(tx, found),
      after: await listArchived(tx),
    }));
    if (!isSame(before, after)) continue;
    if (after.length === 0) nothingArchived.add(app.settings);
    return answer;
  }
  throw new AppError('away');
}
