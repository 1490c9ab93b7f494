import { type Clock, createClock } from './clock.ts';
import { type Habits, liveAsGuest, usualHabits } from './guests.ts';
import { randomDeviceName, randomMac } from './names.ts';
import { createRandom } from './random.ts';
import { type Router, type RouterOptions, startRouter } from './router.ts';
import { type SignIn, signInDirectly, type Visitor } from './sign-in.ts';

export interface VenueOptions {
  /** Routers; those with the same `location` (or none) belong to one venue, and guests roam among them. */
  readonly routers: readonly (RouterOptions & { readonly location?: string | undefined })[];
  /** Accounts of the guests; if there are more guests than accounts, they share them. */
  readonly visitors: readonly Visitor[];
  readonly guests: number;
  readonly timeScale?: number | undefined;
  /** The same seed gives the same guests with the same habits. */
  readonly seed?: number | undefined;
  readonly habits?: Partial<Habits> | undefined;
  readonly signIn?: SignIn | undefined;
  /** Venue seconds over which the first visits are spread; 60 by default. */
  readonly arriveWithinSeconds?: number | undefined;
}

export interface VenueStats {
  readonly online: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly unanswered: number;
  readonly accounted: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly ended: Readonly<Record<string, number>>;
}

export interface Venue {
  readonly routers: readonly Router[];
  readonly clock: Clock;
  readonly stats: () => VenueStats;
  /** The guests leave, the routers shut down with all accounting sent. */
  readonly stop: () => Promise<void>;
}

/** Starts a simulated venue: its routers, then its guests. */
export const openVenue = async (options: VenueOptions): Promise<Venue> => {
  const clock = createClock(options.timeScale ?? 1);
  const seed = options.seed ?? 1;
  const routers: Router[] = [];
  const locationOf = new Map<Router, string | undefined>();
  for (const [i, { location, ...one }] of options.routers.entries()) {
    const router = await startRouter({ clock, random: createRandom(seed + i * 7919), ...one });
    routers.push(router);
    locationOf.set(router, location);
  }
  const placed = options.visitors.filter(visitor =>
    routers.some(router => locationOf.get(router) === visitor.location),
  );
  if (options.guests > 0 && placed.length === 0) throw new RangeError('no visitor belongs to the location of a router');

  const leaving = new AbortController();
  const lives = Array.from({ length: options.guests }, (_, i) => {
    const random = createRandom(seed * 1_000_003 + i);
    const visitor = placed[i % placed.length] as Visitor;
    return liveAsGuest({
      device: { mac: randomMac(random), name: randomDeviceName(random) },
      visitor,
      routers: routers.filter(router => locationOf.get(router) === visitor.location),
      habits: { ...usualHabits, ...options.habits },
      signIn: options.signIn ?? signInDirectly,
      clock,
      random,
      signal: leaving.signal,
      firstVisitSeconds: random.between(0, options.arriveWithinSeconds ?? 60),
    });
  });

  const stats = (): VenueStats => {
    const sum = (read: (router: Router) => number): number =>
      routers.reduce((total, router) => total + read(router), 0);
    const ended: Record<string, number> = {};
    for (const router of routers)
      for (const [cause, count] of Object.entries(router.stats.ended)) ended[cause] = (ended[cause] ?? 0) + count;
    return {
      online: sum(router => router.sessions().length),
      accepted: sum(router => router.stats.accepted),
      rejected: sum(router => router.stats.rejected),
      unanswered: sum(router => router.stats.unanswered),
      accounted: sum(router => router.stats.accounted),
      acknowledged: sum(router => router.stats.acknowledged),
      lost: sum(router => router.stats.lost),
      ended,
    };
  };

  const stop = async (): Promise<void> => {
    leaving.abort();
    await Promise.all(lives);
    await Promise.all(routers.map(router => router.close()));
  };

  return { routers, clock, stats, stop };
};
