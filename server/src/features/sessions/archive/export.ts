import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyCsv, type Inside } from '#db/copy.ts';
import type { Database } from '#db/tenant.ts';
import { AppError } from '#http/app-error.ts';
import type { App } from '#lib/app.ts';
import {
  archivedExport,
  countHere,
  type HistoryFilter,
  historyExport,
  maxExported,
  type Viewer,
} from '../sessions.queries.ts';
import { isSame, within } from './across.ts';
import { listArchived } from './archive.queries.ts';
import type { ArchivedSession, TenantArchive } from './archive-store.ts';
import { sessionArchive } from './configured-archive.ts';
import { archiveFilterOf } from './filter.ts';

const pageRows = 10_000;
const attempts = 5;

/** `2026-11-25 10:11:12.123456+00` in microseconds since 1970. */
export const microsOf = (time: string): number =>
  Date.parse(`${time.slice(0, 19).replace(' ', 'T')}Z`) * 1000 + Number(time.slice(20, 26));

/** The rows of the export of the history as CSV: those here, and those of the archive behind them. */
export async function exportRows(app: App, inside: Inside, viewer: Viewer, filter: HistoryFilter): Promise<Readable> {
  const archive = sessionArchive(app.settings);
  const here = (db: Database) => copyCsv(db, inside, historyExport(viewer, filter));
  if (!archive) return here(app.db);
  // A standby may not know yet that a month has moved. Without one in the archive that does not matter.
  const db = { ...app.db, replica: undefined };
  const { tenantId } = inside;
  for (let i = 0; i < attempts; i++) {
    const before = await db.readTenant(tenantId, listArchived);
    const prepared =
      before.length > 0 ? await db.readTenant(tenantId, tx => archiveFilterOf(tx, viewer, filter, before)) : undefined;
    const batches = prepared ? within(before, prepared.span) : [];
    const of = archive.of(tenantId, batches);
    // Asked before the first byte is sent, so that an archive that is away is a refusal and no shorter file.
    const first = batches.length > 0 ? await of.find(prepared!.filter, { limit: pageRows }) : [];
    const found =
      first.length > 0
        ? await db.readTenant(tenantId, tx => countHere(tx, viewer, filter, { before: 0, most: maxExported }))
        : undefined;
    const rows = await here(before.length > 0 ? db : app.db);
    // Its snapshot is taken when the first rows come. If a month moved before that, it is missing or there twice.
    if (!rows.readableEnded) await once(rows, 'readable');
    const after = await db.readTenant(tenantId, listArchived);
    if (isSame(before, after))
      return found
        ? Readable.from(
            both(rows, {
              db,
              inside,
              viewer,
              filter,
              of,
              first,
              left: maxExported - found.all,
              asked: prepared!.filter,
            }),
          )
        : rows;
    rows.destroy();
  }
  throw new AppError('away');
}

interface Rest {
  readonly db: Database;
  readonly inside: Inside;
  readonly viewer: Viewer;
  readonly filter: HistoryFilter;
  readonly of: TenantArchive;
  readonly first: readonly ArchivedSession[];
  /** How many rows the file may still have. */
  readonly left: number;
  readonly asked: Parameters<TenantArchive['find']>[0];
}

async function* both(rows: Readable, rest: Rest): AsyncGenerator<Buffer> {
  yield* rows;
  let { first: page, left } = rest;
  while (page.length > 0 && left > 0) {
    yield* await withRoom(() =>
      copyCsv(rest.db, rest.inside, archivedExport(rest.viewer, rest.filter, page.slice(0, left))),
    );
    left -= page.length;
    const last = page.at(-1)!;
    page =
      page.length < pageRows
        ? []
        : await rest.of.find(
            { ...rest.asked, before: { at: microsOf(last.started_at), id: last.id } },
            { limit: pageRows },
          );
  }
}

/** Other exports may have taken all places meanwhile. */
async function withRoom<T>(work: () => Promise<T>): Promise<T> {
  for (let i = 0; ; i++)
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== '53300' || i === 60) throw error;
      await sleep(1000);
    }
}
