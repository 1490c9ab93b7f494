import { z } from 'zod';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, notDeleted, pageQuery, time } from './fields.ts';

export const itemDates = { created_at: time, updated_at: time, deleted_at: notDeleted };
export const itemParams = z.object({ id, itemId: id });

const aOrAn = (what: string): string => `${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`;

/** The four endpoints of a list nested in a portal. A change may omit required fields of a new item. */
export const nested = <
  const P extends 'ads' | 'rules' | 'surveys',
  S extends z.ZodType,
  F extends z.ZodType,
  C extends z.ZodType,
>(
  path: P,
  what: string,
  item: S,
  form: F,
  change: C,
) => ({
  list: endpoint({
    method: 'GET',
    path: `/v1/panel/portal/:id/${path}`,
    access: 'view-portals',
    summary: `The ${what}s of a portal`,
    params: idParams,
    query: z.object(pageQuery()),
    reply: page(item),
  }),
  create: endpoint({
    method: 'POST',
    path: `/v1/panel/portal/:id/${path}`,
    access: 'update-portals',
    summary: `Add ${aOrAn(what)} to a portal`,
    params: idParams,
    body: form,
    reply: one(item),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: `/v1/panel/portal/:id/${path}/:itemId`,
    access: 'update-portals',
    summary: `Change ${aOrAn(what)} of a portal`,
    params: itemParams,
    body: change,
    reply: one(item),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: `/v1/panel/portal/:id/${path}/:itemId`,
    access: 'update-portals',
    summary: `Delete ${aOrAn(what)} of a portal`,
    params: itemParams,
    reply: 'none',
  }),
});
