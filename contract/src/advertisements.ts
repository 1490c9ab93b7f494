import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { id, idParams, name } from './fields.ts';
import { itemDates, nested } from './portal-items.ts';
import { picture } from './portal-styles.ts';

export const advertisementTypes = ['image', 'embed'] as const;
export const advertisementForm = z
  .object({
    name,
    type: z.enum(advertisementTypes),
    images: z
      .array(picture)
      .max(20)
      .nullish()
      .transform(list => list ?? []),
    embed_code: z.string().trim().max(20_000).nullish(),
  })
  .superRefine((it, context) => {
    if (it.type === 'image' && it.images.length === 0)
      context.addIssue({ code: 'custom', path: ['images'], message: 'required' });
    if (it.type === 'embed' && !it.embed_code)
      context.addIssue({ code: 'custom', path: ['embed_code'], message: 'required' });
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

const count = z.number();
export const adResults = z.object({
  id,
  views: count,
  days: z.array(z.object({ day: z.string(), views: count })),
});
export type AdResults = z.output<typeof adResults>;

export const advertisementsApi = {
  ...nested('ads', 'advertisement', advertisement, advertisementForm),
  results: endpoint({
    method: 'GET',
    path: '/v1/panel/portal/:id/ads/results',
    access: 'view-portals',
    summary: 'How often each advertisement of a portal was shown to guests',
    params: idParams,
    reply: z.object({ data: z.array(adResults) }),
  }),
} as const;
