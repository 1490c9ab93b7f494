import type { VisitorDevice, VisitorSession } from '@portico/contract/visitor-page.ts';
import type { Scope } from '#db/scope.ts';
import type { Tx } from '#db/tenant.ts';
import type { Rows } from '#http/page.ts';
import {
  countSessionsOf,
  listAttemptsOf,
  listDevicesOf,
  listSessionsOf,
  type StoredAttempt,
} from '../of-visitor.queries.ts';
import { acrossArchive, type Reader } from './across.ts';
import type { ArchiveFilter } from './archive-store.ts';
import { scopeFilter } from './filter.ts';

/** A visitor may have visited at any time. */
const ever = { since: 0, until: 8_000_000_000_000_000 };

interface OfVisitor<V> {
  readonly scope: Scope;
  /** Finds the visitor, or refuses. */
  readonly find: (tx: Tx) => Promise<V>;
  readonly at: { readonly page: number; readonly per_page: number };
}

async function filterOf(tx: Tx, scope: Scope, visitorId: string): Promise<ArchiveFilter> {
  return { ...(await scopeFilter(tx, scope)), visitors: [visitorId] };
}

export const sessionsOfVisitor = (
  on: Reader,
  { scope, find, at }: OfVisitor<{ id: string }>,
): Promise<Rows<VisitorSession>> =>
  acrossArchive(on, {
    prepare: async tx => {
      const { id } = await find(tx);
      return { span: ever, filter: await filterOf(tx, scope, id), here: await countSessionsOf(tx, scope, id) };
    },
    find: async (archive, { filter, here }) => {
      const end = at.page * at.per_page;
      const skipped = Math.max(0, end - at.per_page - here);
      const [rows, total] = await Promise.all([
        archive.find(filter, { limit: end - skipped, offset: skipped }),
        archive.count(filter, Math.max(10_000, end + 1)),
      ]);
      return { rows, skipped: Math.min(skipped, total), total };
    },
    answer: async (tx, found) => listSessionsOf(tx, scope, (await find(tx)).id, at, found),
  });

export const devicesOfVisitor = (
  on: Reader,
  { scope, find, at }: OfVisitor<{ id: string }>,
): Promise<Rows<VisitorDevice>> =>
  acrossArchive(on, {
    prepare: async tx => ({ span: ever, filter: await filterOf(tx, scope, (await find(tx)).id) }),
    find: (archive, { filter }) => archive.devices(filter),
    answer: async (tx, found) => listDevicesOf(tx, scope, (await find(tx)).id, at, found),
  });

export const attemptsOfVisitor = (
  on: Reader,
  { scope, find, at }: OfVisitor<{ id: string; location_id: string }>,
): Promise<Rows<StoredAttempt>> =>
  acrossArchive(on, {
    prepare: async tx => ({ span: ever, filter: await filterOf(tx, scope, (await find(tx)).id) }),
    find: async (archive, { filter }) => (await archive.devices(filter)).map(it => it.client_mac),
    answer: async (tx, found) => listAttemptsOf(tx, scope, await find(tx), at, found),
  });

/** The latest sessions of a visitor in the archive, for a list of `limit`. */
export const latestOfVisitor = <T>(
  on: Reader,
  { visitorId, limit }: { visitorId: string; limit: number },
  answer: (tx: Tx, archived: readonly object[]) => Promise<T>,
): Promise<T> =>
  acrossArchive(on, {
    prepare: async () => ({ span: ever }),
    find: archive => archive.find({ visitors: [visitorId] }, { limit }),
    answer: (tx, found) => answer(tx, found ?? []),
  });
