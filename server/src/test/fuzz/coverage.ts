import { Session } from 'node:inspector';

interface Ranged {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
  }[];
}

/** Measures the coverage of the product's code: the union of all V8 blocks that have run so far. */
export function measureCoverage() {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  let covered = new Map<string, Uint8Array>();

  /** Whether new code has run since the last call. */
  function grew(): boolean {
    let scripts: readonly Ranged[] = [];
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) throw error;
      scripts = taken.result;
    });
    let isNew = false;
    for (const { url, functions } of scripts) {
      if (!/\/(?:server|radius|contract)\/src\//.test(url) || url.includes('/test/')) continue;
      const end = functions.reduce((most, { ranges }) => Math.max(most, ranges[0]?.endOffset ?? 0), 0);
      const now = new Uint8Array(end);
      // Outer ranges come first, so that inner ones overwrite their part.
      for (const { ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges) now.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      const before = covered.get(url);
      const all = before && before.length >= end ? before : new Uint8Array(end);
      if (before && all !== before) all.set(before);
      for (let i = 0; i < end; i++)
        if (now[i] === 1 && all[i] === 0) {
          all[i] = 1;
          isNew = true;
        }
      covered.set(url, all);
    }
    return isNew;
  }
  return {
    grew,
    snapshot: () => new Map([...covered].map(([url, all]) => [url, all.slice()])),
    restore: (seen: ReadonlyMap<string, Uint8Array>) => {
      covered = new Map([...seen].map(([url, all]) => [url, all.slice()]));
    },
    /** The number of characters of code that have run. */
    size: () => [...covered.values()].reduce((sum, all) => sum + all.reduce((n, bit) => n + bit, 0), 0),
    stop: () => session.disconnect(),
  };
}
