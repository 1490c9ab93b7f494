import { withChange } from '@portico/contract/change.ts';
import {
  type Desk,
  type DeskChange,
  type DeskForm,
  type ProductForm,
  rangeProblem,
} from '@portico/contract/qr-menu.ts';
import type { Tx } from '#db/tenant.ts';
import { audit, type Entry } from '#features/audit/public.ts';
import { chooseLocation } from '#features/locations/public.ts';
import type { Actor } from '#http/actor.ts';
import { found, foundAgain, invalid } from '#http/app-error.ts';
import { requireSameLocation } from '#http/same-location.ts';
import { newId, randomWord } from '#lib/ids.ts';
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
/** A desk as the API returns it: with the address that contains its code. */
export const deskToWire = ({ code, ...desk }: queries.Things['menu_desks'], origin: string): Desk => ({
  ...desk,
  menu_url: `${origin}/m/${code}`,
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
  const more =
    table === 'menu_desks'
      ? { code: randomWord(12) }
      : { position: values.position ?? (await queries.nextPosition(tx, table, location)) };
  await queries.insertThing(tx, table, { id, location_id: location, ...values, ...more });
  if (category_ids) await queries.setCategories(tx, id, category_ids);
  const made = found(await queries.findThing(tx, actor.reach, table, id));
  await trace(tx, actor, table, made, { verb: 'create', after: form });
  return made;
}

export const getThing = async <T extends queries.Table>(tx: Tx, actor: Actor, table: T, id: string) =>
  found(await queries.findThing(tx, actor.reach, table, id));

export async function updateThing<T extends queries.Table>(tx: Tx, actor: Actor, table: T, id: string, form: Form) {
  const before = found(await queries.findThing(tx, actor.reach, table, id, 'lock'));
  const { category_ids, location_id, ...values } = form as Partial<ProductForm>;
  requireSameLocation(location_id, before);
  await checkCategories(tx, category_ids, before.location_id);
  await queries.updateThing(tx, table, id, values);
  if (category_ids) await queries.setCategories(tx, id, category_ids);
  const after = found(await queries.findThing(tx, actor.reach, table, id));
  await trace(tx, actor, table, after, { verb: 'update', before, after });
  return after;
}

export async function deleteThing(tx: Tx, actor: Actor, table: queries.Table, id: string): Promise<void> {
  const before = found(await queries.findThing(tx, actor.reach, table, id));
  foundAgain(await queries.deleteThing(tx, actor.reach, table, id));
  await trace(tx, actor, table, before, { verb: 'delete', before: { title: before.title } });
}

async function checkCategories(tx: Tx, ids: readonly string[] | undefined, locationId: string): Promise<void> {
  if (!ids?.length) return;
  const unique = [...new Set(ids)];
  if ((await queries.countThings(tx, 'menu_categories', locationId, unique)) < unique.length)
    throw invalid({ category_ids: 'unknown' });
}

/** Sets or removes the picture of a product (its path). */
export async function setPicture(tx: Tx, actor: Actor, id: string, image: string | null) {
  const before = found(await queries.findThing(tx, actor.reach, 'menu_products', id, 'lock'));
  await queries.updateThing(tx, 'menu_products', id, { image });
  const after = found(await queries.findThing(tx, actor.reach, 'menu_products', id));
  await trace(tx, actor, 'menu_products', after, {
    verb: 'update',
    before: { image: before.image },
    after: { image: image ?? 'removed' },
  });
  return after;
}

export async function orderThings(
  tx: Tx,
  actor: Actor,
  table: 'menu_categories' | 'menu_products',
  form: { location_id?: string | null | undefined; ids: readonly string[] },
): Promise<void> {
  const location = await chooseLocation(tx, actor, form.location_id);
  const unique = [...new Set(form.ids)];
  if ((await queries.countThings(tx, table, location, unique)) < unique.length) throw invalid({ ids: 'unknown' });
  await queries.reorder(tx, table, location, unique);
  const subject = { type: kinds[table], name: '' };
  await audit(tx, actor, { verb: 'update', subject, locationId: location, after: { order: unique } });
}

/** A change of a row of desks, with its range checked against what is stored. The count follows from the range. */
export async function deskChange(tx: Tx, actor: Actor, id: string, sent: DeskChange): Promise<Form> {
  const { number: _, ...change } = sent;
  if (change.number_start === undefined && change.number_end === undefined) return change;
  // Locked, so that of two changes at once the second one is checked against the first.
  const { number_start, number_end } = found(await queries.findThing(tx, actor.reach, 'menu_desks', id, 'lock'));
  const { number_start: start, number_end: end } = change;
  const range = withChange({ number_start, number_end }, { number_start: start, number_end: end });
  const problem = rangeProblem(range);
  if (problem) throw invalid({ number_end: [...problem] });
  return { ...change, number: range.number_end - range.number_start + 1 };
}

/** A new row of desks with their number. */
export const withNumber = (form: DeskForm): DeskForm => ({ ...form, number: form.number_end - form.number_start + 1 });
