import { setTimeout as sleep } from 'node:timers/promises';
import Bowser from 'bowser';
import { isUnavailable, movingState, sqlState } from '#db/errors.ts';
import type { App } from '#lib/app.ts';
import { createCache } from '#lib/cache.ts';
import { addAgents, type CountedAgents } from './statistics.queries.ts';

const everyMs = 1000;
/** More kinds than this are written at once. */
const maxKinds = 5000;
const maxUserAgent = 512;

export interface SignedIn {
  readonly tenantId: string;
  readonly locationId: string;
  readonly deviceId: string;
  /** Empty: the browser is unknown. */
  readonly userAgent: string;
}

export interface AgentCounter {
  /** Counts the browser of a sign-in. It is in the statistics a second later. */
  readonly add: (it: SignedIn) => void;
  /** Writes what was counted so far. If the database refuses, the counts stay for the next time. */
  readonly flush: () => Promise<void>;
  /** Flushes at the end of the process, which waits only a few seconds for it. */
  readonly close: () => Promise<void>;
}

type Counted = CountedAgents & { readonly tenantId: string };

const agents = createCache<string, Readonly<Record<string, string>>>({ maxEntries: 1000 });

function kindsOf(userAgent: string): Readonly<Record<string, string>> {
  const text = userAgent.slice(0, maxUserAgent) || 'unknown';
  const known = agents.get(text);
  if (known) return known;
  const { browser, os, platform } = Bowser.parse(text);
  const kinds = {
    browser: browser.name || 'unknown',
    platform: os.name || 'unknown',
    device: platform.type || 'unknown',
  };
  agents.set(text, kinds);
  return kinds;
}

/**
 * Counts the browsers of sign-ins outside their transactions. The guests of a venue share a few counters, so each would wait
 * for earlier commits.
 */
export function createAgentCounter(app: Pick<App, 'db' | 'log'>, { closeMs = 3000 } = {}): AgentCounter {
  let counted = new Map<string, Counted>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  let writes = 0;
  let isAway = false;

  const put = (key: string, it: Counted) => {
    const known = counted.get(key);
    counted.set(key, known ? { ...known, signIns: known.signIns + it.signIns } : it);
    timer ??= setTimeout(() => void flush(), everyMs).unref();
  };

  const writeTenants = async (tenants: [string, [string, Counted][]][]): Promise<void> => {
    for (const [n, [tenantId, entries]] of tenants.entries()) {
      const rows = entries.map(([, row]) => row);
      try {
        await app.db.withTenant(tenantId, tx => addAgents(tx, rows));
      } catch (error) {
        // Only this tenant is refused. Few of its guests signed in just before, and its rows may be gone later.
        if (sqlState(error) === movingState) continue;
        isAway = isUnavailable(error);
        app.log.warn({ err: error, tenant: tenantId }, 'browsers of guests are counted later');
        // The other tenants would wait for the same database, one after the other.
        const left = isAway ? tenants.slice(n).flatMap(([, them]) => them) : entries;
        for (const [key, row] of left) put(key, row);
        if (isAway) return;
      }
    }
  };

  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    isAway = false;
    const tenants = Map.groupBy(counted, ([, { tenantId }]) => tenantId);
    counted = new Map();
    await writeTenants([...tenants]);
    writes -= 1;
  };

  const flush = (): Promise<void> => {
    writes += 1;
    writing = writing.then(write);
    return writing;
  };

  const add = ({ tenantId, locationId, deviceId, userAgent }: SignedIn) => {
    // Local days begin with a minute.
    const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000);
    for (const [kind, value] of Object.entries(kindsOf(userAgent))) {
      const key = [locationId, deviceId, minute.getTime(), kind, value].join(' ');
      put(key, { tenantId, locationId, deviceId, at: minute, kind, value, signIns: 1 });
    }
    if (counted.size > maxKinds && writes === 0 && !isAway) void flush();
  };

  const close = async (): Promise<void> => {
    const over = new AbortController();
    await Promise.race([flush(), sleep(closeMs, undefined, { signal: over.signal }).catch(() => undefined)]);
    over.abort();
  };

  return { add, flush, close };
}
