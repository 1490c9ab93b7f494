import type { Scope } from '#db/scope.ts';
import { acrossArchive, type Reader, scopeFilter } from '#features/sessions/public.ts';
import { type AtQuery, archiveQueryAt, type SessionAt, sessionsAt } from './identity.queries.ts';

/** More sessions of a tenant at one moment than this are not looked through: those that cover it come first. */
const maxCandidates = 5000;

/** The sessions at a time, here and in the archive. */
export const findSessionsAt = (on: Reader, scope: Scope, it: AtQuery): Promise<SessionAt[]> =>
  acrossArchive(on, {
    prepare: async tx => {
      const [{ moments, addressed }, within] = await Promise.all([archiveQueryAt(tx, it), scopeFilter(tx, scope)]);
      const isIpv6 = it.address?.includes(':') ?? false;
      const span = { since: moments.since, until: moments.until + 1 };
      return {
        span,
        at: moments.at,
        filter: {
          began: span,
          endedFrom: moments.ended_from,
          locations: within.locations,
          devices: [...within.devices, ...(it.deviceIds ? [it.deviceIds] : [])],
          mac: it.mac?.replaceAll(':', '').toLowerCase(),
          ...(it.address === undefined ? {} : isIpv6 ? { ids: addressed } : { ip: it.address, orIds: addressed }),
        },
      };
    },
    find: (archive, { filter, at }) => archive.find(filter, { limit: maxCandidates, coveringFirst: at }),
    answer: (tx, found) => sessionsAt(tx, scope, it, found),
  });
