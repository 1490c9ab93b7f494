import type { Product, qrMenuApi } from '@portico/contract/qr-menu.ts';
import { pictureUrls } from '#features/portals/public.ts';
import { listScope } from '#http/actor.ts';
import type { Context, Handlers } from '#http/call.ts';
import { paged } from '#http/page.ts';
import { captiveOrigin } from '#lib/origins.ts';
import { deskCodes } from './desk-codes.ts';
import { keepProductPicture } from './product-pictures.ts';
import { listThings, scansOf, type Things } from './qr-menu.queries.ts';
import * as things from './qr-menu.service.ts';
import { sheetOf } from './sheet.service.ts';

const asDesk = (call: Context, row: Things['menu_desks']) =>
  things.deskToWire(row, captiveOrigin(call.app.settings, call.tenant.slug));
const asProduct = (call: Context, row: Product): Product => ({
  ...row,
  image: row.image && pictureUrls(call.app, call.tenant).toUrl(row.image),
});

export const qrMenuRoutes: Handlers<typeof qrMenuApi> = {
  categories: {
    list: async call =>
      paged(
        call,
        await call.inTenant(tx => listThings(tx, listScope(call.actor, call.query), 'menu_categories', call.query)),
      ),
    create: async ({ actor, body, inTenant }) => ({
      data: await inTenant(tx => things.createThing(tx, actor, 'menu_categories', body)),
    }),
    get: async ({ actor, params, inTenant }) => ({
      data: await inTenant(tx => things.getThing(tx, actor, 'menu_categories', params.id)),
    }),
    update: async ({ actor, params, body, inTenant }) => ({
      data: await inTenant(tx => things.updateThing(tx, actor, 'menu_categories', params.id, body)),
    }),
    delete: ({ actor, params, inTenant }) =>
      inTenant(tx => things.deleteThing(tx, actor, 'menu_categories', params.id)),
    order: ({ actor, body, inTenant }) => inTenant(tx => things.orderThings(tx, actor, 'menu_categories', body)),
  },
  desks: {
    list: async call => {
      const desks = await call.inTenant(tx =>
        listThings(tx, listScope(call.actor, call.query), 'menu_desks', call.query),
      );
      return paged(call, { ...desks, rows: desks.rows.map(row => asDesk(call, row)) });
    },
    create: async call => ({
      data: asDesk(
        call,
        await call.inTenant(tx => things.createThing(tx, call.actor, 'menu_desks', things.withNumber(call.body))),
      ),
    }),
    get: async call => ({
      data: asDesk(call, await call.inTenant(tx => things.getThing(tx, call.actor, 'menu_desks', call.params.id))),
    }),
    update: async call => ({
      data: asDesk(
        call,
        await call.inTenant(async tx => {
          const change = await things.deskChange(tx, call.actor, call.params.id, call.body);
          return things.updateThing(tx, call.actor, 'menu_desks', call.params.id, change);
        }),
      ),
    }),
    delete: ({ actor, params, inTenant }) => inTenant(tx => things.deleteThing(tx, actor, 'menu_desks', params.id)),
    codes: async call => {
      const { actor, params, inTenant } = call;
      const [desk, scans] = await inTenant(async tx => [
        await things.getThing(tx, actor, 'menu_desks', params.id),
        await scansOf(tx, params.id),
      ]);
      return { data: deskCodes(asDesk(call, desk), scans) };
    },
    sheet: async call => {
      const { actor, params, query, inTenant, language, reply } = call;
      const desk = await inTenant(tx => things.getThing(tx, actor, 'menu_desks', params.id));
      const sheet = await sheetOf(asDesk(call, desk), query, language);
      reply.type(sheet.type).header('content-disposition', `attachment; filename="${sheet.name}"`);
      return sheet.body;
    },
  },
  products: {
    list: async call => {
      const products = await call.inTenant(tx =>
        listThings(tx, listScope(call.actor, call.query), 'menu_products', call.query),
      );
      return paged(call, { ...products, rows: products.rows.map(row => asProduct(call, row)) });
    },
    create: async call => ({
      data: asProduct(call, await call.inTenant(tx => things.createThing(tx, call.actor, 'menu_products', call.body))),
    }),
    get: async call => ({
      data: asProduct(
        call,
        await call.inTenant(tx => things.getThing(tx, call.actor, 'menu_products', call.params.id)),
      ),
    }),
    update: async call => ({
      data: asProduct(
        call,
        await call.inTenant(tx => things.updateThing(tx, call.actor, 'menu_products', call.params.id, call.body)),
      ),
    }),
    delete: ({ actor, params, inTenant }) => inTenant(tx => things.deleteThing(tx, actor, 'menu_products', params.id)),
    order: ({ actor, body, inTenant }) => inTenant(tx => things.orderThings(tx, actor, 'menu_products', body)),
    image: async call => {
      const { actor, params, inTenant } = call;
      const product = await inTenant(tx => things.getThing(tx, actor, 'menu_products', params.id));
      const image = await keepProductPicture(call, product.location_id, call.file);
      return { data: asProduct(call, await inTenant(tx => things.setPicture(tx, actor, params.id, image))) };
    },
    deleteImage: async ({ actor, params, inTenant }) => {
      await inTenant(tx => things.setPicture(tx, actor, params.id, null));
    },
  },
};
