import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint, one, page } from './endpoint.ts';
import { id, idParams, locationRef, pageQuery, time, whole } from './fields.ts';
import { perLanguage } from './portal-messages.ts';
import { currencies } from './units.ts';

/** Packages: session profiles that guests buy on the portal. */

const named = z.object({ id, name: z.string() });

/** A name per language; in the other languages guests see the first one. */
const names = perLanguage(60).refine(it => Object.values(it).some(Boolean), 'required');

const terms = {
  /** A profile with a price: its limits hold for the paid days. */
  profile_id: id,
  name: names,
  description: perLanguage(300).default({}),
  /** The price of one day, with tax, in minor units of the currency, such as cents. */
  price: whole(1, 10_000_000),
  currency: z.enum(currencies),
  /** The tax that the price includes, in hundredths of a percent: 2000 is 20 %. */
  tax_rate: whole(0, 10_000).default(0),
  /** How many days a guest may buy at once. */
  min_days: whole(1, 365).default(1),
  max_days: whole(1, 365).default(1),
  position: whole(0, 1000).default(0),
  is_active: z.boolean().default(true),
};

export const packageForm = z
  .object({ location_id: locationRef, ...terms })
  .refine(it => it.min_days <= it.max_days, { path: ['max_days'], message: 'max_days' });
export type PackageForm = z.output<typeof packageForm>;
export const packageChange = changeOf(
  z.object({ ...terms, name: perLanguage(60), description: perLanguage(300).nullable() }),
);
export type PackageChange = z.output<typeof packageChange>;
/** The texts of a package after a change. */
export const packageTexts = z.object({ name: names, description: perLanguage(300) });

export const soldPackage = z.object({
  id,
  location_id: id,
  location: named,
  ...terms,
  name: perLanguage(60),
  description: perLanguage(300),
  profile: named,
  /** Purchases that were paid, also if they were refunded since. */
  sold: z.number(),
  /** The sum of its sales and reversals, in minor units; of each currency that it was sold in. */
  revenue: z.array(z.object({ currency: z.enum(currencies), amount: z.number() })),
  created_at: time,
  updated_at: time,
});
export type SoldPackage = z.output<typeof soldPackage>;

export const packagesApi = {
  list: endpoint({
    method: 'GET',
    path: '/v1/panel/package',
    access: 'read-profiles',
    summary: 'Packages that guests can buy, in the order in which they see them',
    query: z.object({ ...pageQuery(), location_id: id.optional() }),
    reply: page(soldPackage),
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/panel/package',
    access: 'update-location',
    summary: 'Create a package',
    body: packageForm,
    reply: one(soldPackage),
    status: 201,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v1/panel/package/:id',
    access: 'update-location',
    summary: 'Change a package; purchases keep the terms that the guest saw',
    params: idParams,
    body: packageChange,
    reply: one(soldPackage),
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v1/panel/package/:id',
    access: 'update-location',
    summary: 'Delete a package; its purchases and sales stay',
    params: idParams,
    reply: 'none',
  }),
} as const;
