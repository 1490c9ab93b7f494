import type { MacSession, SessionRow } from '@portico/contract/sessions.ts';
import type { Rows } from '#http/page.ts';
import {
  countHere,
  type HistoryFilter,
  listByMac,
  listHistory,
  listLatestOf,
  type Viewer,
} from '../sessions.queries.ts';
import { acrossArchive, type Reader } from './across.ts';
import { archiveFilterOf } from './filter.ts';

type Order = 'asc' | 'desc';
type PagedFilter = HistoryFilter & { readonly page: number; readonly per_page: number };

const countedRows = 10_000;

/**
 * Which archived sessions a page can hold, as places in the archive's own order. `all` are the sessions here that satisfy the
 * filter; `early` are those of them that began before the end of the newest archived month. Counts may be cut off above the page.
 * Sorted into one list, an archived session moves back by the sessions here that come before it.
 */
export function windowOf(
  at: { page: number; per_page: number },
  order: Order,
  here: { all: number; early: number },
): { offset: number; limit: number } {
  const end = at.page * at.per_page;
  const start = end - at.per_page;
  // At most `most` sessions here come before an archived one, and at least `least`.
  const [most, least] = order === 'desc' ? [here.all, here.all - here.early] : [here.early, 0];
  const offset = Math.max(0, start - most);
  return { offset, limit: Math.max(0, end - least - offset) };
}

/** A page of the history. */
export const historyPage = (on: Reader, viewer: Viewer, filter: PagedFilter): Promise<Rows<SessionRow>> =>
  acrossArchive(on, {
    prepare: async (tx, batches) => {
      const asked = await archiveFilterOf(tx, viewer, filter, batches);
      // The first page needs no counts.
      const before = Math.max(...batches.map(it => it.until));
      const most = filter.page * filter.per_page + 1;
      const here =
        filter.page === 1 || !asked.touches
          ? { all: 0, early: 0 }
          : await countHere(tx, viewer, filter, { before, most });
      return { ...asked, here };
    },
    find: async (archive, { filter: asked, here }) => {
      const { page, per_page, order = 'desc' } = filter;
      const { offset, limit } = page === 1 ? { offset: 0, limit: per_page } : windowOf({ page, per_page }, order, here);
      const [rows, total] = await Promise.all([
        limit > 0 ? archive.find(asked, { limit, offset, order }) : [],
        archive.count(asked, Math.max(countedRows, page * per_page + 1)),
      ]);
      // The archive may have fewer sessions than the page skips.
      return { rows, skipped: limit > 0 ? Math.min(offset, total) : 0, total };
    },
    answer: (tx, found) => listHistory(tx, viewer, filter, found),
  });

/** A page of guest devices with several sessions, each with its latest one. */
export const macPage = (
  on: Reader,
  viewer: Viewer,
  filter: Parameters<typeof listByMac>[2],
): Promise<Rows<MacSession>> =>
  acrossArchive(on, {
    prepare: async (tx, batches) => {
      const until = Math.max(...batches.map(it => it.until));
      const old = (await listLatestOf(tx, viewer, filter)).filter(({ at }) => at < until);
      const moments = old.map(({ at }) => at);
      const span =
        old.length > 0 ? { since: Math.min(...moments), until: Math.max(...moments) + 1 } : { since: 1, until: 0 };
      return { span, ids: old.map(({ id }) => id) };
    },
    find: async (archive, { span, ids }) =>
      ids.length > 0 ? archive.find({ began: span, ids }, { limit: ids.length }) : [],
    answer: (tx, found) => listByMac(tx, viewer, filter, found),
  });
