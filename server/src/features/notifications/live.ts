import type { Change } from '#db/listen.ts';
import { reachesLocation } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { AppError } from '#http/app-error.ts';
import type { Context } from '#http/call.ts';
import { steadyNow } from '#lib/steady-clock.ts';
import { createStreamLimit } from '#lib/stream-limit.ts';

const heartbeatMs = 25_000;
// Changes of one topic within a second are sent once, because screens only refetch.
const gatherMs = 250;

/** Each open browser tab has one connection. */
const maxOfUser = 50;
const acquire = createStreamLimit();

/** Streams the changed topics that the actor may see, until the client disconnects, its sign-in ends or its scope changes. */
export function liveEvents(context: Context, actor: Actor, stillAllowed: () => Promise<boolean>) {
  const release = acquire({ [actor.userId]: maxOfUser });
  if (!release) throw new AppError('too_many_tails');
  // Not in the generator's `finally`: a client that disconnects at once never starts the generator.
  context.request.raw.on('close', release);
  if (context.request.raw.destroyed) release();
  return streamTopics(context, actor, stillAllowed);
}

async function* streamTopics(
  { app, tenant, request, inTenant }: Context,
  actor: Actor,
  stillAllowed: () => Promise<boolean>,
) {
  const waiting = new Set<string>();
  const reachable = new Map<string, Promise<boolean>>();
  let wake = () => {};
  let closed = false;
  let checked = steadyNow();
  /** Set after a change of rights. The message does not name the user, so every stream of the tenant checks. */
  let inDoubt = false;

  function visible(location: string | null): Promise<boolean> | boolean {
    const { scope } = actor;
    if (location === null || scope.kind === 'tenant') return true;
    if (scope.kind === 'locations') return scope.ids.includes(location);
    if (reachable.size > 1000) reachable.clear();
    const known = reachable.get(location) ?? inTenant(tx => reachesLocation(tx, actor, location)).catch(() => false);
    reachable.set(location, known);
    return known;
  }

  const stop = app.changes.subscribe(async (change: Change) => {
    if (change.tenant !== tenant.id) return;
    if (change.topic === 'locations') reachable.clear();
    if (change.topic === 'rights') {
      inDoubt = true;
      reachable.clear();
      wake();
    }
    if (change.topic === 'rights' || waiting.has(change.topic) || !(await visible(change.location))) return;
    waiting.add(change.topic);
    wake();
  });
  request.raw.on('close', () => {
    closed = true;
    wake();
  });
  try {
    yield 'retry: 2000\n\n';
    let sent = steadyNow();
    while (!closed) {
      const awoken =
        inDoubt || waiting.size > 0 || (await sleepUntil(sent + heartbeatMs - steadyNow(), w => (wake = w)));
      if (closed) return;
      if (awoken) await new Promise(resolve => setTimeout(resolve, gatherMs));
      // Topics that arrive after this are sent next time, after another check if the rights changed before it.
      const topics = [...waiting];
      waiting.clear();
      if (inDoubt || steadyNow() - checked >= heartbeatMs) {
        inDoubt = false;
        if (!(await stillAllowed())) return;
        checked = steadyNow();
        reachable.clear();
      }
      // Invisible changes also wake, and proxies close a connection that is silent for long.
      const isSilent = topics.length === 0;
      if (isSilent && steadyNow() - sent < heartbeatMs) continue;
      yield isSilent ? ': still here\n\n' : topics.map(topic => `data: ${JSON.stringify({ topic })}\n\n`).join('');
      sent = steadyNow();
    }
  } finally {
    stop();
  }
}

/** Resolves with true when woken, or with false after `ms`. */
function sleepUntil(ms: number, onWake: (wake: () => void) => void): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), Math.max(1, ms));
    onWake(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
