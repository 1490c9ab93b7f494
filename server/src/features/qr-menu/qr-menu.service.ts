import type { DeskForm, ProductForm } from '@portico/contract/qr-menu.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, invalid } from '#http/app-error.ts';
import { newId } from '#lib/ids.ts';
import * as queries from './qr-menu.queries.ts';

const kinds = { menu_categories: 'menu-category', menu_desks: 'menu-desk', menu_products: 'menu-product' } as const;

const trace = (
  tx: Tx,
  actor: Actor,
  table: queries.Table,
  it: { id: string; title: string; location_id: string },
  what: Pick<Entry, 'verb' | 'before' | 'after'>,
) =>
  audit(tx, actor, {
    ...what,
    subject: { type: kinds[table], id: it.id, name: it.title },
    locationId: it.location_id,
  });

type Form = { location_id?: string | null | undefined } & Record<string, unknown>;

export async function createThing<T extends queries.Table>(
  tx: Tx,
  actor: Actor,
  table: T,
  { location_id, ...form }: Form,
) {
  const location = await chooseLocation(tx, actor, location_id);
  const { category_ids, ...values } = form as Partial<ProductForm>;
  await checkCategories(tx, category_ids, location);
  const id = newId();
  await queries.insertThing(tx, table, { id, location_id: location, ...values });
  if (category_ids) await queries.setCategories(tx, id, category_ids);
  const made = found(await queries.findThing(tx, actor.reach, table, id));
  await trace(tx, actor, table, made, { verb: 'create', after: form });
  return made;
}

export const getThing = async <T extends queries.Table>(tx: Tx, actor: Actor, table: T, id: string) =>
  found(await queries.findThing(tx, actor.reach, table, id));

export async function updateThing<T extends queries.Table>(tx: Tx, actor: Actor, table: T, id: string, form: Form) {
  const before = found(await queries.findThing(tx, actor.reach, table, id));
  // A thing stays where it was made.
  const { category_ids, location_id: _, ...values } = form as Partial<ProductForm>;
  await checkCategories(tx, category_ids, before.location_id);
  await queries.updateThing(tx, table, id, values);
  if (category_ids) await queries.setCategories(tx, id, category_ids);
  const after = found(await queries.findThing(tx, actor.reach, table, id));
  await trace(tx, actor, table, after, { verb: 'update', before, after });
  return after;
}

export async function deleteThing(tx: Tx, actor: Actor, table: queries.Table, id: string): Promise<void> {
  const before = found(await queries.findThing(tx, actor.reach, table, id));
  await queries.deleteThing(tx, actor.reach, table, id);
  await trace(tx, actor, table, before, { verb: 'delete', before: { title: before.title } });
}

async function checkCategories(tx: Tx, ids: readonly string[] | undefined, locationId: string): Promise<void> {
  if (!ids?.length) return;
  const unique = [...new Set(ids)];
  if ((await queries.countCategories(tx, unique, locationId)) < unique.length)
    throw invalid({ category_ids: 'unknown' });
}

/** How many desks a range is, where the caller does not say. */
export const withNumber = (form: DeskForm): DeskForm => ({
  ...form,
  number: form.number ?? form.number_end - form.number_start + 1,
});
