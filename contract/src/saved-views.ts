import { z } from 'zod';
import { endpoint, one } from './endpoint.ts';
import { emptiedByNull, id, idParams, name, optionalId } from './fields.ts';
import { viewAudiences, viewLists } from './view-kinds.ts';

const key = z
  .string()
  .max(40)
  .regex(/^[a-z_]+$/, 'invalid');

/**
 * The state of a list, under a name. `search`: filters, search text, order and page size, as in the address of the list.
 * `hidden`: the columns that are not shown.
 */
export const savedViewForm = z.object({
  list: z.enum(viewLists),
  name: name.max(40),
  shared: z.enum(viewAudiences).default('own'),
  /** For `location`; default: the active location. */
  location_id: optionalId,
  search: z
    .record(key, z.string().max(1000))
    .default({})
    .refine(it => Object.keys(it).length <= 20, 'invalid'),
  hidden: emptiedByNull(z.array(key).max(40), []).default([]),
});
export type SavedViewForm = z.output<typeof savedViewForm>;

export const savedView = savedViewForm.omit({ location_id: true }).extend({
  id,
  /** Whether the caller may replace and delete it. */
  may_change: z.boolean(),
});
export type SavedView = z.output<typeof savedView>;

export const savedViewsApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/saved-view',
    access: 'signed-in',
    summary: 'Saved views of a list: the caller’s own, and those shared with the active location and with the tenant',
    query: z.object({ list: z.enum(viewLists) }),
    reply: one(z.array(savedView)),
  }),
  put: endpoint({
    method: 'PUT',
    path: '/v1/panel/saved-view',
    access: 'signed-in',
    summary: 'Save a view of a list, or replace the one with this name',
    description:
      'Everyone saves own views. Sharing with a location needs `update-location` there; sharing with the tenant is for its administrators. ' +
      'A name is unique for a list among the views of one user, of one location and of the tenant. Each of these has at most 100 views of a list.',
    body: savedViewForm,
    reply: one(savedView),
    creates: true,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/saved-view/:id',
    access: 'signed-in',
    summary: 'Delete a saved view',
    params: idParams,
    reply: 'none',
  }),
} as const;
