import { z } from 'zod';
import { changeOf } from './change.ts';
import { endpoint } from './endpoint.ts';
import { id, idParams, name } from './fields.ts';
import { itemDates, nested } from './portal-items.ts';
import { picture } from './portal-styles.ts';

export const advertisementTypes = ['image', 'embed'] as const;
const fields = z.object({
  name,
  type: z.enum(advertisementTypes),
  images: z
    .array(picture)
    .max(20)
    .nullish()
    .transform(list => list ?? []),
  embed_code: z.string().trim().max(20_000).nullish(),
});
/** The field that this type of advertisement requires but does not have. */
export function lackingField(it: z.output<typeof fields>): 'images' | 'embed_code' | undefined {
  if (it.type === 'image') return it.images.length === 0 ? 'images' : undefined;
  return it.embed_code ? undefined : 'embed_code';
}
export const advertisementForm = fields.superRefine((it, context) => {
  const lacking = lackingField(it);
  if (lacking) context.addIssue({ code: 'custom', path: [lacking], message: 'required' });
});
export type AdvertisementForm = z.output<typeof advertisementForm>;
export const advertisement = z.object({
  id,
  name: z.string(),
  type: z.enum(advertisementTypes),
  images: z.array(z.string()),
  embed_code: z.string().nullable(),
  ...itemDates,
});
export type Advertisement = z.output<typeof advertisement>;

/** Omitted fields keep their value. The changed advertisement must be a complete form. */
const advertisementChange = changeOf(fields);
export type AdvertisementChange = z.output<typeof advertisementChange>;

const count = z.number();
export const adResults = z.object({
  id,
  views: count,
  days: z.array(z.object({ day: z.string(), views: count })),
});
export type AdResults = z.output<typeof adResults>;

export const advertisementsApi = {
  ...nested('ads', 'advertisement', advertisement, advertisementForm, advertisementChange),
  results: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/ads/results',
    access: 'view-portals',
    summary: 'How often each advertisement of a portal was shown to guests',
    params: idParams,
    reply: z.object({ data: z.array(adResults) }),
  }),
} as const;
