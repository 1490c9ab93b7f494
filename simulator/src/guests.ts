import type { Clock } from './clock.ts';
import { randomSite } from './names.ts';
import type { Random } from './random.ts';
import type { Router } from './router.ts';
import type { GuestDevice } from './session.ts';
import type { SignIn, SignInResult, Visitor } from './sign-in.ts';
import { logMessage } from './syslog.ts';

export interface Habits {
  /** Mean time between two visits, and of a visit, in the venue's seconds. */
  readonly awaySeconds: number;
  readonly staySeconds: number;
  /** Chance to move to another router of the location, at each use of the phone. */
  readonly roam: number;
  /** Chance to mistype the password before a sign-in. */
  readonly mistype: number;
  /** Chance to sign out before leaving. */
  readonly signOut: number;
}

export const usualHabits: Habits = { awaySeconds: 1800, staySeconds: 2400, roam: 0.02, mistype: 0.05, signOut: 0.3 };

export interface GuestOptions {
  readonly device: { readonly mac: string; readonly name: string };
  readonly visitor: Visitor;
  /** The routers of the guest's location. */
  readonly routers: readonly Router[];
  readonly habits: Habits;
  readonly signIn: SignIn;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Venue's seconds until the first visit. */
  readonly firstVisitSeconds: number;
}

const megabyte = 1 << 20;

/** Simulates one guest, who arrives, signs in, browses, roams, leaves and returns, until the signal aborts. */
export const liveAsGuest = async (guest: GuestOptions): Promise<void> => {
  const { clock, random, signal, habits } = guest;
  const wait = (seconds: number): Promise<void> => clock.sleep(seconds * 1000, signal);

  const trySignIn = async (router: Router, device: GuestDevice): Promise<SignInResult> => {
    if (random.chance(habits.mistype)) {
      const mistyped = `${guest.visitor.password.slice(0, -1)}${random.below(10)}`;
      await guest.signIn(router, device, { ...guest.visitor, password: mistyped });
      await wait(random.between(4, 15));
    }
    return guest.signIn(router, device, guest.visitor);
  };

  const getOnline = async (router: Router, device: GuestDevice): Promise<boolean> => {
    for (let tried = 0; tried < 3 && !signal.aborted; tried += 1) {
      if (tried > 0) await wait(random.between(15, 60));
      if (router.session(device.mac) || (await trySignIn(router, device)) === 'accepted') return true;
    }
    return false;
  };

  const visit = async (): Promise<void> => {
    let router = random.pick(guest.routers);
    let device = router.lease(guest.device);
    const until = clock.now() + random.around(habits.staySeconds) * 1000;
    while (!signal.aborted && clock.now() < until) {
      if (!router.session(device.mac) && !(await getOnline(router, device))) break;
      const seconds = random.between(8, 40);
      await wait(seconds);
      browse({ router, device, random, seconds });
      if (guest.routers.length > 1 && random.chance(habits.roam)) {
        router.walkAway(device);
        router = random.pick(guest.routers.filter(other => other !== router));
        device = router.lease(guest.device);
      } else if (!router.session(device.mac) && random.chance(0.5)) break;
    }
    if (random.chance(habits.signOut)) router.signOut(device);
    router.walkAway(device);
  };

  await wait(guest.firstVisitSeconds);
  while (!signal.aborted) {
    await visit();
    await wait(random.around(habits.awaySeconds));
  }
};

/** The traffic of a guest over some seconds, with the log lines that the router writes about it. */
const browse = (it: {
  readonly router: Router;
  readonly device: GuestDevice;
  readonly random: Random;
  readonly seconds: number;
}): void => {
  const { router, device, random, seconds } = it;
  if (!router.session(device.mac)) return;
  // Most visits load a few pages, some are videos.
  const downloadBytes = random.around(random.chance(0.15) ? 40 * megabyte : 2 * megabyte);
  router.use(device, { uploadBytes: downloadBytes * random.between(0.03, 0.2), downloadBytes, seconds });

  const site = randomSite(random);
  const number = random.below(60_000);
  const port = 32_768 + random.below(28_000);
  router.log('dns', logMessage.query({ ip: device.ip, number, domain: site.domain }));
  router.log('dns', logMessage.answer({ number, domain: site.domain, address: site.address }));
  if (random.chance(0.1)) {
    const url = `http://${site.domain}/`;
    router.log('web-proxy', logMessage.proxy({ ip: device.ip, url, hit: random.chance(0.2) }));
  }
  router.log(
    'firewall',
    logMessage.connection({
      ...device,
      port,
      to: site.address,
      toPort: 443,
      ...(random.chance(0.3) ? { proto: 'UDP' as const, length: 1228 } : { proto: 'TCP (SYN)' as const, length: 60 }),
    }),
  );
};
