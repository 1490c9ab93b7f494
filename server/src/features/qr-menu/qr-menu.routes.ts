import type { qrMenuApi } from '@portico/contract/qr-menu.ts';
import type { Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { listThings } from './qr-menu.queries.ts';
import { createThing, deleteThing, getThing, updateThing, withNumber } from './qr-menu.service.ts';

export const qrMenuRoutes: Handlers<typeof qrMenuApi> = {
  categories: {
    list: async call =>
      paged(call, await call.inTenant(tx => listThings(tx, call.actor.scope, 'menu_categories', call.query))),
    create: async ({ actor, body, inTenant }) => ({
      data: await inTenant(tx => createThing(tx, actor, 'menu_categories', body)),
    }),
    get: async ({ actor, params, inTenant }) => ({
      data: await inTenant(tx => getThing(tx, actor, 'menu_categories', params.id)),
    }),
    update: async ({ actor, params, body, inTenant }) => ({
      data: await inTenant(tx => updateThing(tx, actor, 'menu_categories', params.id, body)),
    }),
    delete: ({ actor, params, inTenant }) => inTenant(tx => deleteThing(tx, actor, 'menu_categories', params.id)),
  },
  desks: {
    list: async call =>
      paged(call, await call.inTenant(tx => listThings(tx, call.actor.scope, 'menu_desks', call.query))),
    create: async ({ actor, body, inTenant }) => ({
      data: await inTenant(tx => createThing(tx, actor, 'menu_desks', withNumber(body))),
    }),
    get: async ({ actor, params, inTenant }) => ({
      data: await inTenant(tx => getThing(tx, actor, 'menu_desks', params.id)),
    }),
    update: async ({ actor, params, body, inTenant }) => ({
      data: await inTenant(tx => updateThing(tx, actor, 'menu_desks', params.id, withNumber(body))),
    }),
    delete: ({ actor, params, inTenant }) => inTenant(tx => deleteThing(tx, actor, 'menu_desks', params.id)),
  },
  products: {
    list: async call =>
      paged(call, await call.inTenant(tx => listThings(tx, call.actor.scope, 'menu_products', call.query))),
    create: async ({ actor, body, inTenant }) => ({
      data: await inTenant(tx => createThing(tx, actor, 'menu_products', body)),
    }),
    get: async ({ actor, params, inTenant }) => ({
      data: await inTenant(tx => getThing(tx, actor, 'menu_products', params.id)),
    }),
    update: async ({ actor, params, body, inTenant }) => ({
      data: await inTenant(tx => updateThing(tx, actor, 'menu_products', params.id, body)),
    }),
    delete: ({ actor, params, inTenant }) => inTenant(tx => deleteThing(tx, actor, 'menu_products', params.id)),
  },
};
