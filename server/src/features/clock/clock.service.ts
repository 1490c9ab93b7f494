import { tellWebhooks } from '#db/webhook-event.ts';
import { notify } from '#features/notifications/public.ts';
import type { App } from '#lib/app.ts';
import { eachApart } from '#lib/each-apart.ts';
import { type Clock, listTenants, lockClock, setClock } from './clock.queries.ts';

const dayMs = 86_400_000;
/** A gap of this length between two checks is no reason for doubt: the server was off for a while. */
const unseenDays = 7;
/** A doubted clock must run evenly for this long before it is trusted. */
export const waitDays = 7;
/** While a doubted clock runs evenly, it is checked at least this often. */
const evenMs = dayMs;

/** The result of a check. A time far from the last known one is doubted, unless the clock has run evenly since. */
export function look(clock: Clock, now: Date): Clock & { readonly trusted: boolean } {
  const trust = { known_at: now, checked_at: now, doubted_since: null, trusted: true };
  const ahead = now.getTime() - clock.known_at.getTime();
  // A clock that is behind erases too little, which is harmless. It must not catch up by an unnoticed jump.
  if (ahead < -unseenDays * dayMs) return trust;
  if (ahead <= unseenDays * dayMs) return { ...trust, known_at: ahead > 0 ? now : clock.known_at };
  const since = now.getTime() - clock.checked_at.getTime();
  const even = since >= -60_000 && since <= evenMs;
  const doubted = even && clock.doubted_since ? clock.doubted_since : now;
  if (now.getTime() - doubted.getTime() >= waitDays * dayMs) return trust;
  return { known_at: clock.known_at, checked_at: now, doubted_since: doubted, trusted: false };
}

/**
 * Whether expired data may be erased now. If not, the administrators of every tenant are notified of the reason, once.
 */
export async function mayErase(app: App): Promise<boolean> {
  const { before, after } = await app.db.withSystem(async tx => {
    const row = await lockClock(tx, new Date());
    const time = (text: string) => new Date(text);
    const clock = {
      known_at: time(row.known_at),
      checked_at: time(row.checked_at),
      doubted_since: row.doubted_since ? time(row.doubted_since) : null,
    };
    const seen = look(clock, time(row.now));
    await setClock(tx, seen);
    return { before: clock, after: seen };
  });
  if (after.trusted || !after.doubted_since) return true;
  const notified = before.doubted_since?.getTime() === after.doubted_since.getTime();
  if (!notified) await notifyAdministrators(app, { known: dayOf(after.known_at), now: dayOf(after.doubted_since) });
  return false;
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

async function notifyAdministrators(app: App, data: { known: string; now: string }): Promise<void> {
  app.log.error(data, 'the clock is far ahead of when it was last known to be right: nothing is erased');
  const once = `clock:${data.known}:${data.now}`;
  await eachApart(app, await app.db.withSystem(listTenants), ({ id }) =>
    app.db.withTenant(id, async tx => {
      await tellWebhooks(tx, null, 'clock.doubted', data, once);
      await notify(tx, { kind: 'clock_doubted', to: { tenant: 'admins' }, data: { ...data, days: waitDays }, once });
    }),
  );
}

/** An administrator has checked the clock and confirms it. */
export async function confirmClock(app: App): Promise<Date> {
  return app.db.withSystem(async tx => {
    const now = new Date((await lockClock(tx, new Date())).now);
    await setClock(tx, { known_at: now, checked_at: now, doubted_since: null });
    return now;
  });
}
