import type { Change } from '#db/listen.ts';
import { reachesLocation } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { createStreamLimit } from '#lib/stream-limit.ts';

const beatMs = 25_000;
// Changes of one topic within a second are sent once, because screens only refetch.
const gatherMs = 250;

/** One per open tab of a browser. */
const maxOfUser = 50;
const acquire = createStreamLimit();

/** Tells a screen which topics changed among what the actor may see, until it goes away or its sign-in ends. */
export function liveEvents(context: Context, actor: Actor, stillSignedIn: () => Promise<boolean>) {
  const release = acquire({ [actor.userId]: maxOfUser });
  if (!release) throw new AppError('too_many_tails');
  // Not where the events end: one that goes away at once never begins to read them.
  context.request.raw.on('close', release);
  if (context.request.raw.destroyed) release();
  return tell(context, actor, stillSignedIn);
}

async function* tell({ app, tenant, request, inTenant }: Context, actor: Actor, stillSignedIn: () => Promise<boolean>) {
  const waiting = new Set<string>();
  const seen = new Map<string, Promise<boolean>>();
  let wake = () => {};
  let gone = false;
  let checked = Date.now();

  function visible(location: string | null): Promise<boolean> | boolean {
    const { scope } = actor;
    if (location === null || scope.kind === 'tenant') return true;
    if (scope.kind === 'locations') return scope.ids.includes(location);
    if (seen.size > 1000) seen.clear();
    const known = seen.get(location) ?? inTenant(tx => reachesLocation(tx, actor, location)).catch(() => false);
    seen.set(location, known);
    return known;
  }

  const stop = app.changes.subscribe(async (change: Change) => {
    if (change.tenant !== tenant.id || waiting.has(change.topic) || !(await visible(change.location))) return;
    waiting.add(change.topic);
    wake();
  });
  request.raw.on('close', () => {
    gone = true;
    wake();
  });
  try {
    yield 'retry: 2000\n\n';
    while (!gone) {
      const awoken = waiting.size > 0 || (await sleepUntil(beatMs, w => (wake = w)));
      if (gone) return;
      if (Date.now() - checked >= beatMs || !awoken) {
        if (!(await stillSignedIn())) return;
        checked = Date.now();
      }
      if (!awoken) {
        yield ': still here\n\n';
        continue;
      }
      await new Promise(resolve => setTimeout(resolve, gatherMs));
      const topics = [...waiting];
      waiting.clear();
      yield topics.map(topic => `data: ${JSON.stringify({ topic })}\n\n`).join('');
    }
  } finally {
    stop();
  }
}

/** Answers true when woken, false when the time was up. */
function sleepUntil(ms: number, onWake: (wake: () => void) => void): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), ms);
    onWake(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
