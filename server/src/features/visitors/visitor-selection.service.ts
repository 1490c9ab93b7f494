import { isLocalTime } from '@portico/contract/fields.ts';
import type { extendSelectedForm, moveSelectedForm, SelectionResult } from '@portico/contract/visitor-selection.ts';
import type { Credentials } from '@portico/contract/visitors.ts';
import type { z } from 'zod';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { findPrice } from '#features/profiles/public.ts';
import { countUnendable } from '#features/sessions/public.ts';
import { invalid } from '#http/app-error.ts';
import { checkExpected, expectedEnd } from '#http/expected-end.ts';
import { clearPassword } from '#lib/guest-password.ts';
import { sellDays } from './paid-days.service.ts';
import { queueCommands, sendCommands } from './running.service.ts';
import { initials } from './trace.service.ts';
import * as queries from './visitor-selection.queries.ts';
import { type Call, signInUrl } from './visitors.service.ts';

type Selected = queries.SelectedVisitor;

/** All selected visitors, or a refusal: a missing one was deleted meanwhile, or is out of reach. */
async function select(tx: Tx, call: Call, ids: readonly string[]): Promise<Selected[]> {
  const wanted = [...new Set(ids)];
  const visitors = await queries.lockSelected(tx, call.actor.reach, wanted);
  if (visitors.length !== wanted.length) throw invalid({ ids: 'selected_gone' });
  return visitors;
}

/** One entry for all visitors of a location, which names them by their initials. */
async function record(
  tx: Tx,
  call: Call,
  visitors: readonly Selected[],
  what: { verb: Entry['verb']; after?: object },
): Promise<void> {
  for (const [locationId, of] of Map.groupBy(visitors, it => it.location_id)) {
    const names = Object.fromEntries(of.map(it => [it.id, initials(it.name)]));
    const about = { total_user: of.length, visitors: names };
    const values = what.verb === 'delete' ? { before: about } : { after: { ...about, ...what.after } };
    await audit(tx, call.actor, { verb: what.verb, subject: { type: 'visitor', name: '' }, locationId, ...values });
  }
}

const idsOf = (visitors: readonly Selected[]) => visitors.map(it => it.id);

/** Runs an action in one transaction. `work` returns the visitors that it changed, and the number of queued commands. */
async function act(
  call: Call,
  ids: readonly string[],
  work: (tx: Tx, visitors: Selected[]) => Promise<Omit<SelectionResult, 'skipped'>>,
): Promise<SelectionResult> {
  const done = await call.inTenant(async tx => {
    const visitors = await select(tx, call, ids);
    const result = await work(tx, visitors);
    return { ...result, skipped: visitors.length - result.changed };
  });
  sendCommands(call, done.told);
  return done;
}

export const extendSelected = (call: Call, form: z.output<typeof extendSelectedForm>): Promise<SelectionResult> =>
  act(call, form.ids, async (tx, visitors) => {
    const { days, until, expected_end_at: expected = {} } = form;
    checkExpected(...visitors.map(it => expectedEnd(expected[it.id], it.session_end_at, `expected_end_at.${it.id}`)));
    const open = idsOf(visitors.filter(it => !it.erased_at));
    const extended = new Set(
      days
        ? await queries.addDays(tx, open, days)
        : await queries.setEnd(tx, open, { at: until ?? '', local: isLocalTime(until ?? '') }),
    );
    // For one visitor, each is an error of the form. It is one here only if it applies to all.
    if (!extended.size)
      throw invalid(days ? { days: visitors.length > 1 ? 'none_has_end' : 'no_end' } : { until: 'in_future' });
    await sellDays(tx, [...extended]);
    const changed = visitors.filter(it => extended.has(it.id));
    await record(tx, call, changed, { verb: 'update', after: days ? { days } : { session_end_at: until } });
    return { changed: changed.length, told: await queueCommands(tx, call.actor, [...extended]) };
  });

/** Whether a visitor was not moved because of the profile, and not because of the location. */
const isOfProfile = (it: Selected, { locationId, profileId, paid }: queries.Destination): boolean => {
  if (profileId === null) return false;
  const unpaid = paid && it.total_paid_day === 0 && !it.session_end_at && it.profile_id !== profileId;
  return unpaid || it.location_id === locationId;
};

export const moveSelected = (call: Call, form: z.output<typeof moveSelectedForm>): Promise<SelectionResult> =>
  act(call, form.ids, async (tx, visitors) => {
    const profileId = form.profile_id ?? null;
    const locationId = await chooseLocation(tx, call.actor, form.location_id);
    const price = profileId ? await findPrice(tx, locationId, profileId) : undefined;
    if (profileId && !price) throw invalid({ profile_id: 'unknown' });
    const open = visitors.filter(it => !it.erased_at);
    const to = { locationId, profileId, paid: price?.paid_sale.is_active ?? false };
    const ids = await queries.moveVisitors(tx, idsOf(open), to);
    if (!ids.length)
      throw invalid(
        open.every(it => isOfProfile(it, to))
          ? { profile_id: 'none_take_profile' }
          : { location_id: 'none_move_there' },
      );
    await sellDays(tx, ids);
    const moved = visitors.filter(it => ids.includes(it.id));
    // In the log of the location that they left, and of the one where they are.
    const arrived = moved.filter(it => it.location_id !== locationId).map(it => ({ ...it, location_id: locationId }));
    const after = { location_id: locationId, profile_id: profileId };
    await record(tx, call, [...moved, ...arrived], { verb: 'update', after });
    return { changed: moved.length, told: await queueCommands(tx, call.actor, ids) };
  });

const setBlocked = (call: Call, ids: readonly string[], blocked: boolean): Promise<SelectionResult> =>
  act(call, ids, async (tx, visitors) => {
    const changed = visitors.filter(it => !it.erased_at && it.blocked !== blocked);
    await queries.setBlocked(tx, idsOf(changed), blocked);
    await record(tx, call, changed, { verb: 'update', after: { blocked } });
    return { changed: changed.length, told: await queueCommands(tx, call.actor, idsOf(changed)) };
  });

export const pauseSelected = (call: Call, ids: readonly string[]) => setBlocked(call, ids, true);
export const resumeSelected = (call: Call, ids: readonly string[]) => setBlocked(call, ids, false);

/** Ends the open sessions. The visitors may sign in again. */
export const endSessions = (call: Call, ids: readonly string[]): Promise<SelectionResult> =>
  act(call, ids, async (tx, visitors) => {
    const told = await queueCommands(tx, call.actor, idsOf(visitors), 'gone');
    const unendable = await countUnendable(tx, idsOf(visitors));
    await record(tx, call, visitors, { verb: 'end', after: { sessions: told } });
    return { changed: visitors.length, told, unendable };
  });

export const deleteSelected = (call: Call, ids: readonly string[]): Promise<SelectionResult> =>
  act(call, ids, async (tx, visitors) => {
    const told = await queueCommands(tx, call.actor, idsOf(visitors), 'gone');
    await queries.deleteVisitors(tx, idsOf(visitors));
    await record(tx, call, visitors, { verb: 'delete' });
    return { changed: visitors.length, told };
  });

/** The content of the cards of visitors with a user name. Visitors of other methods have no card. */
export const cardsOfSelected = (call: Call, ids: readonly string[]): Promise<Credentials[]> =>
  call.inTenant(async tx => {
    const visitors = await select(tx, call, ids);
    const cards = visitors.flatMap(({ id, name, username, password: encrypted, provider_type }) => {
      const password =
        provider_type === 'username' && encrypted ? clearPassword(call.app.secrets, encrypted) : undefined;
      return password === undefined
        ? []
        : [{ id, name, username: username ?? '', password, sign_in_url: signInUrl(call, id, password) }];
    });
    const shown = new Set(cards.map(it => it.id));
    await record(
      tx,
      call,
      visitors.filter(it => shown.has(it.id)),
      { verb: 'export' },
    );
    return cards;
  });
