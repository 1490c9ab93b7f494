import type { SavedView, SavedViewForm, savedViewsApi } from '@portico/contract/saved-views.ts';
import type { Tx } from '#db/tenant.ts';
import { audit } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import { type Actor, allows } from '#http/actor.ts';
import { AppError, found, foundAgain, invalid } from '#http/app-error.ts';
import type { Handlers } from '#http/call.ts';
import { newId } from '#lib/ids.ts';
import * as queries from './saved-views.queries.ts';

const maxViews = 100;

export const savedViewsRoutes: Handlers<typeof savedViewsApi> = {
  list: async ({ actor, query, read }) => {
    const rows = await read(tx => queries.listViews(tx, query.list, actor.userId, actor.activeLocationId));
    return { data: rows.map(row => shown(actor, row)) };
  },
  put: async ({ actor, body, reply, inTenant }) => {
    const { made, data } = await inTenant(tx => putView(tx, actor, body));
    if (made) reply.code(201);
    return { data };
  },
  delete: ({ actor, params, inTenant }) => inTenant(tx => deleteView(tx, actor, params.id)),
};

/** Own views are the user's, views of a location those of its administrators, views of the tenant those of the tenant's. */
function mayChange(actor: Actor, { shared, location_id }: Pick<queries.ViewRow, 'shared' | 'location_id'>): boolean {
  if (shared === 'own') return true;
  return shared === 'location' ? allows(actor, 'update-location', location_id ?? undefined) : actor.isTeamAdmin;
}

function shown(actor: Actor, row: queries.ViewRow): SavedView {
  const { location_id: _, ...view } = row;
  return { ...view, may_change: mayChange(actor, row) };
}

// Without the filters: a search text may be the name of a guest.
const subjectOf = ({ id, name }: queries.ViewRow) => ({ type: 'saved-view' as const, id, name });
const recorded = ({ list, shared, search, hidden }: queries.ViewRow) => ({
  list,
  shared,
  filters: Object.keys(search).sort(),
  hidden,
});

async function putView(tx: Tx, actor: Actor, form: SavedViewForm): Promise<{ made: boolean; data: SavedView }> {
  const { shared, list, name } = form;
  const locationId = shared === 'location' ? await chooseLocation(tx, actor, form.location_id) : null;
  if (!mayChange(actor, { shared, location_id: locationId })) throw new AppError('not_allowed');
  const owner = { userId: shared === 'own' ? actor.userId : null, locationId };
  const { before, others } = await queries.lockName(tx, owner, list, name);
  if (others >= maxViews) throw invalid({ name: ['list_max', { limit: maxViews }] });
  const id = before?.id ?? newId();
  if (before) await queries.replaceView(tx, id, form);
  else await queries.insertView(tx, id, owner, form);
  const after = found(await queries.findView(tx, id, actor.userId, actor.reach));
  await audit(tx, actor, {
    verb: before ? 'update' : 'create',
    subject: subjectOf(after),
    locationId: locationId ?? (shared === 'own' ? actor.activeLocationId : null),
    before: before && recorded(before),
    after: recorded(after),
  });
  return { made: !before, data: shown(actor, after) };
}

async function deleteView(tx: Tx, actor: Actor, id: string): Promise<void> {
  const view = found(await queries.findView(tx, id, actor.userId, actor.reach));
  if (!mayChange(actor, view)) throw new AppError('not_allowed');
  foundAgain(await queries.deleteView(tx, id));
  await audit(tx, actor, {
    verb: 'delete',
    subject: subjectOf(view),
    locationId: view.location_id ?? (view.shared === 'own' ? actor.activeLocationId : null),
    before: recorded(view),
  });
}
